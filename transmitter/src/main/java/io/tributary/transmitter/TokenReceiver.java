package io.tributary.transmitter;

import com.google.protobuf.UnsafeByteOperations;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.common.value.Token;
import io.tributary.store.PayloadAppender;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.List;

/**
 * The side of the Task above a relay: opens a stream behind a cut, puts the relay's tokens on its outlet, and their payload into
 * this node's store. What has arrived and not been taken is bounded by the credit that it gives, and by one message. A
 * stream that ends fails the stage; a new pipeline opens another one behind the cut that is durable then.
 */
public final class TokenReceiver implements Stage {
    private static final int AT_ONCE = 1024;

    /** The number of the change that stands for all entries of the journal that a relay gets. */
    private static final long STATE = 1;

    private final Upstream relay;
    private final StreamIdentity identity;
    private final Outlet<Token> outlet;
    private final MessageStream stream;
    private final TokenChunkReader reader;
    private final Count tokens = new Count();
    private final Count bytes = new Count();
    private boolean waitsForStore;

    /**
     * The relay and what is asked of it.
     *
     * @param name as the configuration names it
     * @param address where it listens
     * @param settings the keys that say what stands in a token, as text; the relay must have them alike
     * @param from where to go on; has the shards that the relay is to read, no others
     * @param indexes this node's index of each of these shards; increasing
     * @param state entries of the journal at that place that extractors of these shards begin with
     */
    public record Upstream(
            String name, HostPort address, String settings, Cut from, int[] indexes, List<Journal.Put> state) {
        /** Where no extractor begins with anything. */
        public Upstream(String name, HostPort address, String settings, Cut from, int[] indexes) {
            this(name, address, settings, from, indexes, List.of());
        }

        public Upstream {
            state = List.copyOf(state);
            indexes = indexes.clone();
            if (indexes.length != from.shards().size()) {
                throw new IllegalArgumentException(
                        "relay " + name + ": " + from.shards().size() + " shards, " + indexes.length + " indexes");
            }
        }
    }

    /**
     * @param outlet this receiver is its only writer
     * @param appender this receiver's own; closed with it
     * @param shapes gives out this node's references to tables
     * @param demand is told when the relay waits for a heartbeat round, and which TSOs it has read as committed
     */
    public TokenReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            Upstream relay,
            Outlet<Token> outlet,
            PayloadAppender appender,
            TableShapes shapes,
            RoundDemand demand,
            Metrics metrics) {
        this(config, identity, relay, outlet, appender, shapes, demand, metrics, PooledByteBufAllocator.DEFAULT);
    }

    TokenReceiver(
            TransmitConfig config,
            StreamIdentity identity,
            Upstream relay,
            Outlet<Token> outlet,
            PayloadAppender appender,
            TableShapes shapes,
            RoundDemand demand,
            Metrics metrics,
            ByteBufAllocator allocator) {
        this.relay = relay;
        this.identity = identity;
        this.outlet = outlet;
        String name = identity + " from relay " + relay.name() + " at " + relay.address();
        this.stream = new MessageStream(config, relay.address(), name, ErrorCode.STREAM_CONTRADICTION, allocator);
        this.reader = new TokenChunkReader(
                relay.from().shards(), relay.indexes(), new PayloadReader(appender, shapes), demand);
        metrics.register(Metric.RELAY_TOKENS, tokens::value, "relay", relay.name());
        metrics.register(Metric.RELAY_BYTES, bytes::value, "relay", relay.name());
    }

    @Override
    public String name() {
        return stageOf(relay.name());
    }

    /** The name of the stage that receives from a relay. */
    public static String stageOf(String relay) {
        return "relay-" + relay;
    }

    /**
     * Connects with the first call.
     *
     * @throws TributaryException STREAM_BROKEN when the stream ends; STREAM_CONTRADICTION when the relay refuses it, or what comes
     *     cannot be
     */
    @Override
    public int doWork() {
        if (!stream.isOpen()) {
            open();
        }
        int done = 0;
        while (done < AT_ONCE && outlet.hasRoom() && hasStore()) {
            Token token = reader.next();
            if (token != null) {
                outlet.put(token);
                tokens.add(1);
            } else if (!takeMessage()) {
                break;
            }
            done++;
        }
        stream.giveCredit();
        return done;
    }

    private boolean hasStore() {
        waitsForStore = !reader.hasRoom();
        return !waitsForStore;
    }

    /** How many bytes the relay has sent; any thread. */
    public long received() {
        return bytes.value();
    }

    @Override
    public long restNanos() {
        return waitsForStore ? UNTOLD_REST_NANOS : LONGEST_REST_NANOS;
    }

    private boolean takeMessage() {
        ByteBuf message = stream.poll(reader.last());
        if (message == null) {
            return false;
        }
        bytes.add(message.readableBytes());
        reader.accept(message);
        return true;
    }

    private void open() {
        if (relay.state().isEmpty()) {
            stream.open(opening(identity, relay, false));
            return;
        }
        stream.openWithState(opening(identity, relay, false));
        stream.state(JournalCodec.encode(Journal.part(STATE, relay.state())));
        stream.state(JournalCodec.encode(Journal.end(STATE)));
        stream.giveFirstCredit();
    }

    /** @param question whether a stream would be refused is all that is asked */
    static TransmitWire.Open opening(StreamIdentity identity, Upstream relay, boolean question) {
        Cut from = relay.from().behindChange(relay.state().isEmpty() ? 0 : STATE);
        return TransmitWire.Open.newBuilder()
                .setVersion(StreamIdentity.VERSION)
                .setCluster(identity.cluster())
                .setStream(identity.stream())
                .setResume(UnsafeByteOperations.unsafeWrap(CutCodec.encodeFull(from)))
                .setTokens(TransmitWire.Relayed.newBuilder()
                        .setSettings(relay.settings())
                        .setQuestion(question))
                .build();
    }

    /** Ends the stream and releases what has arrived; what was put belongs to the outlet's reader. */
    @Override
    public void close() {
        stream.close();
        reader.close();
    }
}
