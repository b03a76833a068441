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
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.common.value.Token;
import io.tributary.transmit.proto.TransmitWire;
import io.tributary.transmitter.token.TokenChunkReader;
import java.util.List;

/**
 * The stage that receives a relay's tokens in the Task above it. It opens a stream after a cut, puts the relay's tokens on its outlet, and
 * their payload into this node's store. The bytes that have arrived and were not read yet are at most its credit plus one message. If the
 * stream ends, the stage fails; a new pipeline opens another stream after the cut that is durable at that time.
 */
public final class TokenReceiver implements Stage {
    private static final int AT_ONCE = 1024;

    /** The number of the one change that contains all entries of the journal that a relay receives. */
    private static final long STATE = 1;

    private final Upstream relay;
    private final Outlet<Token> outlet;
    private final MessageStream stream;
    private final TokenChunkReader reader;
    private final Count tokens = new Count();
    private final Count bytes = new Count();
    private boolean waitsForStore;

    /**
     * A relay and the stream that is requested from it.
     *
     * @param name the relay's name in the configuration
     * @param address the address on which it listens
     * @param settings the keys that determine the content of a token, as text; the relay must have the same values
     */
    public record Upstream(
            String name, HostPort address, StreamIdentity identity, String settings, RelayedShards shards) {
        public Upstream {
            int count = shards.from().shards().size();
            if (shards.indexes().length != count) {
                throw new IllegalArgumentException(
                        "relay " + name + ": expected " + count + " indexes, found " + shards.indexes().length);
            }
        }
    }

    /**
     * The shards that a relay must read.
     *
     * @param from the cut after which to continue; it has exactly these shards
     * @param indexes this node's index of each of these shards; increasing
     * @param state entries of the journal at that cut with which the extractors of these shards begin
     */
    public record RelayedShards(Cut from, int[] indexes, List<Journal.Put> state) {
        public RelayedShards {
            state = List.copyOf(state);
            indexes = indexes.clone();
        }

        /** Shards whose extractors begin without entries of the journal. */
        public static RelayedShards of(Cut from, int... indexes) {
            return new RelayedShards(from, indexes, List.of());
        }
    }

    /**
     * @param outlet this receiver is its only writer
     * @param reader owned by this receiver; closed with it
     */
    public TokenReceiver(
            TransmitConfig config, Upstream relay, Outlet<Token> outlet, TokenChunkReader reader, Metrics metrics) {
        this(relay, stream(config, relay, PooledByteBufAllocator.DEFAULT), outlet, reader, metrics);
    }

    TokenReceiver(
            Upstream relay, MessageStream stream, Outlet<Token> outlet, TokenChunkReader reader, Metrics metrics) {
        this.relay = relay;
        this.outlet = outlet;
        this.stream = stream;
        this.reader = reader;
        metrics.register(Metric.RELAY_TOKENS, tokens::value, "relay", relay.name());
        metrics.register(Metric.RELAY_BYTES, bytes::value, "relay", relay.name());
    }

    /** The stream from a relay, which is not open yet. */
    static MessageStream stream(TransmitConfig config, Upstream relay, ByteBufAllocator allocator) {
        String name = relay.identity() + " from relay " + relay.name() + " at " + relay.address();
        return new MessageStream(config, relay.address(), name, ErrorCode.STREAM_CONTRADICTION, allocator);
    }

    @Override
    public String name() {
        return stageOf(relay.name());
    }

    /** The name of the stage that receives from this relay. */
    public static String stageOf(String relay) {
        return "relay-" + relay;
    }

    /**
     * Connects with the first call.
     *
     * @throws TributaryException STREAM_BROKEN if the stream ends; STREAM_CONTRADICTION if the relay refuses it or sends an invalid message
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
            } else if (!readMessage()) {
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

    /** The number of bytes that the relay has sent; any thread. */
    public long received() {
        return bytes.value();
    }

    @Override
    public long restNanos() {
        return waitsForStore ? POLL_REST_NANOS : LONGEST_REST_NANOS;
    }

    private boolean readMessage() {
        ByteBuf message = stream.poll(reader.last());
        if (message == null) {
            return false;
        }
        bytes.add(message.readableBytes());
        reader.accept(message);
        return true;
    }

    private void open() {
        List<Journal.Put> state = relay.shards().state();
        if (state.isEmpty()) {
            stream.open(opening(relay, false));
            return;
        }
        stream.openWithState(opening(relay, false));
        stream.state(JournalCodec.encode(Journal.part(STATE, state)));
        stream.state(JournalCodec.encode(Journal.end(STATE)));
        stream.giveFirstCredit();
    }

    /** @param isProbe only asks whether a stream would be refused */
    static TransmitWire.Open opening(Upstream relay, boolean isProbe) {
        RelayedShards shards = relay.shards();
        Cut from = shards.from().behindChange(shards.state().isEmpty() ? 0 : STATE);
        return TransmitWire.Open.newBuilder()
                .setVersion(StreamIdentity.VERSION)
                .setCluster(relay.identity().cluster())
                .setStream(relay.identity().stream())
                .setResume(UnsafeByteOperations.unsafeWrap(CutCodec.encodeFull(from)))
                .setTokens(TransmitWire.Relayed.newBuilder()
                        .setSettings(relay.settings())
                        .setQuestion(isProbe))
                .build();
    }

    /** Ends the stream and releases the messages that have arrived; tokens on the outlet belong to its reader. */
    @Override
    public void close() {
        stream.close();
        reader.close();
    }
}
