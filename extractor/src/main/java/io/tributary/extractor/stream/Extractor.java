package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.Token;
import io.tributary.extractor.EventPosition;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractTarget;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ReplicationClient;
import io.tributary.extractor.SchemaFilter;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.TokenOrder;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.extractor.tso.UndecidedBranch;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.EventConsumer;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.store.PayloadStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that reads one shard's replication stream. It sends a token for each transaction; the payload goes to the store. A lost
 * connection is opened again after the last token that was sent, without a gap and without a repeat. Every other failure ends the pipeline.
 */
public final class Extractor implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Extractor.class);
    /** Bytes of events in one call. */
    private static final int CALL_BYTES = 256 << 10;

    private final ShardSource source;
    private final ExtractorConfig config;
    private final UUID reader;
    private final MysqlClient client;
    private final Clock clock;
    private final EventPosition position = new EventPosition();
    private final TokenWriter tokens;
    private final PayloadWriter payload;
    private final EventReader events;
    private final EventConsumer consumer;
    private final IdleTimeout idleTimeout;
    private final IdleStream idle;
    private boolean isOpenedAgain; // because it was idle
    private final ReconnectPolicy reconnects;
    private final Count bytesRead = new Count();
    private final Count eventsRead = new Count();
    private final Count tokensSent = new Count();
    private final Count connects = new Count();
    private final Count newestTimestamp = new Count();

    private StreamOpener opener;
    private BinlogStream stream;
    private String serverUuid;
    private long attemptEnds;
    private boolean waitsForStore;
    private boolean isCorrecting; // the stream has only corrections

    /**
     * @param network shared by all extractors
     * @param target shared by all extractors
     * @param out this extractor is its only writer
     */
    public Extractor(
            ShardSource source, ReplicationClient network, ExtractTarget target, Outlet<Token> out, Metrics metrics) {
        this.source = source;
        this.config = network.config();
        this.reader = reader(network.reader(), source.name());
        this.client = network.client();
        this.clock = network.clock();
        this.serverUuid = source.from().serverUuid();
        this.idleTimeout = new IdleTimeout(config.heartbeat(), clock);
        this.idle = new IdleStream(clock);
        this.reconnects = new ReconnectPolicy(source.config(), config.reconnectMin(), config.reconnectMax(), clock);
        SchemaFilter schemas = new SchemaFilter(config.filterSchemas());
        TableMapping mapping = new TableMapping(config.tableMap());
        HiddenTables hidden = new HiddenTables(config.ddlHidden());
        ExtractOrder order = target.order();
        PayloadStore store = target.store();
        TokenOrder tokenOrder = order.tokenOrder(source, out, store, clock, metrics);
        this.payload = new PayloadWriter(store.appender(source.name()), config.serverId());
        this.tokens = new TokenWriter(source.index(), source.from(), position, payload, tokenOrder);
        this.events = new EventReader(
                source,
                new SourceTables(
                        target.tables(),
                        new SourceTables.Names(mapping, schemas, hidden::hides, order.markerTable()),
                        config.serverId(),
                        config.shards().size()),
                tokens,
                new StatementFilter(schemas, hidden, config.filterAccounts(), mapping),
                config.payloadLimit().bytes());
        this.consumer = events::event;
        register(metrics);
    }

    private void register(Metrics metrics) {
        String[] tags = {"shard", source.name()};
        metrics.register(Metric.EXTRACT_BYTES, bytesRead::value, tags);
        metrics.register(Metric.EXTRACT_EVENTS, eventsRead::value, tags);
        metrics.register(Metric.EXTRACT_TRANSACTIONS, tokensSent::value, tags);
        metrics.register(Metric.EXTRACT_LEFT_OUT, events.leftOut()::value, tags);
        metrics.register(Metric.EXTRACT_CONNECTS, connects::value, tags);
        metrics.register(Metric.EXTRACT_LAG, this::lagSeconds, tags);
    }

    /** Called from any thread. */
    private double lagSeconds() {
        long newest = newestTimestamp.value();
        return newest == 0 ? 0 : Math.max(0, clock.epochMicros() / 1e6 - newest);
    }

    /** In `tso` order: the undecided branches for which tokens of this shard wait, the oldest first; any thread. */
    public CompletableFuture<List<UndecidedBranch>> undecided() {
        return tokens.undecided();
    }

    /** Why the shard is held and what to do, "" if it is read; any thread. */
    public String held() {
        return reconnects.held();
    }

    /** This reader's UUID for a shard, made from the cluster's UUID. */
    public static UUID reader(UUID cluster, String shard) {
        return UUID.nameUUIDFromBytes((cluster + "/" + shard).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String name() {
        return "extract-" + source.name();
    }

    @Override
    public int doWork() {
        int released = tokens.release();
        if (stream == null) {
            return released + connect();
        }
        boolean hasRoom = tokens.hasRoom();
        waitsForStore = hasRoom && !payload.hasRoom();
        if (!hasRoom || waitsForStore) {
            idleTimeout.restart();
            idle.restart();
            return released;
        }
        return released + read();
    }

    private int connect() {
        if (opener == null) {
            if (!reconnects.isDue()) {
                return 0;
            }
            attemptEnds = clock.nanoTime()
                    + 2 * source.config().login().connectTimeout().toNanos();
            opener = open();
            return 1;
        }
        try {
            stream = opener.poll();
            if (stream == null && clock.nanoTime() - attemptEnds > 0) {
                throw new TributaryException(
                        ErrorCode.SHARD_UNREACHABLE, "shard " + source.name() + ": expected a stream, found no answer");
            }
        } catch (TributaryException e) {
            opener.close();
            opener = null;
            lost(e);
            return 0;
        }
        if (stream == null) {
            return 0;
        }
        streamBegins();
        return 1;
    }

    private StreamOpener open() {
        BinlogDump dump = BinlogDump.after(tokens.sent(), config.serverId(), reader)
                .withHeartbeat(config.heartbeat())
                .withBounds(config.queueBytes(), Integer.MAX_VALUE);
        return new StreamOpener(
                client,
                source.config().endpoint(),
                serverUuid,
                tokens.place(),
                new StreamOpener.Request(
                        source.name(), dump, source.config().skipAnonymous(), tokens.correctionsLeft()));
    }

    private void streamBegins() {
        serverUuid = opener.uuid();
        events.streamBegins(stream.checksummed(), opener.foldsNames(), opener.isByPosition());
        isCorrecting = !tokens.correctionsLeft().isEmpty();
        events.correct(isCorrecting ? source.from().corrections() : Corrections.NONE);
        opener = null;
        connects.add(1);
        idleTimeout.streamBegins();
        idle.restart();
        if (!isOpenedAgain) {
            LOG.info(
                    "reading shard: shard={} server={} after=\"{}\"",
                    source.name(),
                    serverUuid,
                    ShardFacts.shown(tokens.sent()));
        }
        isOpenedAgain = false;
    }

    private int read() {
        long bytesBefore = stream.takenBytes();
        int done;
        try {
            done = stream.poll(consumer, CALL_BYTES);
        } catch (TributaryException e) {
            if (!e.code().holdsShard()) {
                throw e;
            }
            lost(e);
            return 0;
        }
        if (done > 0) {
            bytesRead.add(stream.takenBytes() - bytesBefore);
            eventsRead.add(done);
            tokensSent.set(tokens.tokens());
            newestTimestamp.set(events.newestTimestamp());
            idleTimeout.restart();
            idle.eventsRead(position.end());
            reconnects.succeeded();
            openAgainIfIdle();
            openAgainIfCorrected();
            return done;
        }
        if (!stream.isOpen()) {
            lost(endOf(stream));
        } else if (idleTimeout.isRestartedBy(stream)) {
            idle.restart();
            return 1;
        } else if (idleTimeout.isTooLong()) {
            lost(new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    "shard " + source.name() + ": expected a heartbeat every " + config.heartbeat() + ", found none"));
        }
        return 0;
    }

    /** Only between transactions: within a transaction no heartbeats are sent. */
    private void openAgainIfIdle() {
        if (idle.isOver()) {
            LOG.debug("only heartbeats received, opening the stream again: shard={}", source.name());
            isOpenedAgain = true;
            closeStream();
        }
    }

    /** After the last correction the transactions that follow the shard's position are read. */
    private void openAgainIfCorrected() {
        if (isCorrecting && stream != null && tokens.correctionsLeft().isEmpty()) {
            LOG.info(
                    "corrections read: shard={} gtids=\"{}\"",
                    source.name(),
                    source.from().corrections().gtids().line());
            closeStream();
        }
    }

    private TributaryException endOf(BinlogStream ended) {
        StreamEnd end = ended.end().orElseThrow();
        if (end instanceof StreamEnd.Refused refused) {
            return ShardErrors.ofStream(
                    source.name(),
                    refused.error(),
                    "at " + position + ", requested all transactions after " + ShardFacts.shown(tokens.sent()));
        }
        if (end instanceof StreamEnd.Lost lost) {
            return ShardErrors.ofTransport(source.name(), lost.cause());
        }
        return new TributaryException(
                ErrorCode.SHARD_STREAM_FAILED,
                "shard " + source.name() + ": expected an endless stream, found its end");
    }

    private void lost(TributaryException failure) {
        closeStream();
        reconnects.after(failure);
    }

    private void closeStream() {
        if (stream != null) {
            stream.close();
            stream = null;
            events.forgetTransaction();
        }
    }

    @Override
    public long restNanos() {
        if (stream != null) {
            return waitsForStore ? POLL_REST_NANOS : LONGEST_REST_NANOS;
        }
        return opener != null ? POLL_REST_NANOS : Math.min(LONGEST_REST_NANOS, reconnects.untilDueNanos());
    }

    @Override
    public void close() {
        if (opener != null) {
            opener.close();
        }
        closeStream();
        events.close();
    }
}
