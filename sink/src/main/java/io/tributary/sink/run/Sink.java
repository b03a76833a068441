package io.tributary.sink.run;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.StreamReader;
import io.tributary.sink.Guarantee;
import io.tributary.sink.SinkFigures;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.SinkPosition;
import io.tributary.sink.kafka.AcknowledgedOutbox;
import io.tributary.sink.kafka.KafkaSettings;
import io.tributary.sink.kafka.Outbox;
import io.tributary.sink.kafka.ProgressTopic;
import io.tributary.sink.kafka.SinkPlace;
import io.tributary.sink.kafka.TopicCatalog;
import io.tributary.sink.kafka.TransactionOutbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the stream of a node, or of a MySQL server, to Kafka. A run ends with its first error; the next one resumes after the place in the topic of
 * progress. One run at a time.
 */
public final class Sink {
    private static final Logger LOG = LoggerFactory.getLogger(Sink.class);

    private final MysqlClient client;
    private final SinkPlan plan;
    private final Clock clock;
    private final SinkFigures figures = new SinkFigures();
    private final FenceWatch fence;
    private final StreamReader.Replica replica;
    private volatile SinkRun current;

    /** Makes a sink that has no run yet. */
    public Sink(MysqlClient client, SinkPlan plan, Clock clock) {
        this.client = client;
        this.plan = plan;
        this.clock = clock;
        this.fence = new FenceWatch(clock);
        this.replica = replica(plan.name(), clock);
    }

    /**
     * A replica of the node that is the same for all runs, so that a new connection replaces the one before it, and another one for each process: two sinks
     * of one name find each other in Kafka, not at the node.
     */
    private static StreamReader.Replica replica(String name, Clock clock) {
        byte[] text = ("tributary sink " + name + " " + ProcessHandle.current().pid() + " " + clock.epochMicros())
                .getBytes(StandardCharsets.UTF_8);
        CRC32 id = new CRC32();
        id.update(text);
        return new StreamReader.Replica(Math.max(1, id.getValue()), UUID.nameUUIDFromBytes(text));
    }

    /** What all runs have done. */
    public SinkFigures figures() {
        return figures;
    }

    /** How far the current run is, or the last one; {@link SinkPosition#NONE} before the first one. Any thread. */
    public SinkPosition position() {
        SinkRun run = current;
        return run == null ? SinkPosition.NONE : run.position();
    }

    /**
     * Sends transactions until an error or an interrupt. After SINK_FENCED the next runs end with it at once as long as the other sink stores its place.
     *
     * @param node a MySQL port from which the stream is read
     * @param threads in which messages are encoded and sent; it must have a free thread for each worker, and one more
     * @throws TributaryException NODE_UNREACHABLE, READER_REFUSED (also if the node has purged what comes after the place), REPLAY_FAILED, or a code that
     *     begins with SINK_
     * @throws java.util.concurrent.CancellationException after an interrupt
     */
    public void run(Peer node, ExecutorService threads) {
        try {
            start(node, threads);
        } catch (RuntimeException e) {
            fence.ended(e);
            throw e;
        }
    }

    private void start(Peer node, ExecutorService threads) {
        Sid sid = streamOf(node);
        KafkaSettings settings = new KafkaSettings(plan, sid);
        ProgressTopic progress = new ProgressTopic(plan.target().progressTopic(), plan.name(), settings, clock);
        try (TopicCatalog catalog = new TopicCatalog(
                settings,
                plan.target().topics(),
                clock,
                plan.limits().timeouts().request())) {
            catalog.requireProgress(plan.target().progressTopic());
            if (fence.isFenced()) {
                fence.check(progress.read(catalog, longestRead()).place());
            }
            Outbox outbox = outbox(settings, progress);
            boolean isRunning = false;
            try {
                ProgressTopic.Content stored = progress.read(catalog, longestRead());
                SinkPlace place = place(stored.place(), sid);
                SlotSender.Work work = new SlotSender.Work(outbox, catalog, figures, clock);
                SlotSender sender = new SlotSender(plan, work, place, existing(stored.topics(), catalog));
                requirePartitions(sender);
                SinkRun run = new SinkRun(plan, new SinkRun.Begin(sid, outbox, sender, place, replica), figures, clock);
                current = run;
                isRunning = true;
                run.run(client, node, threads);
            } finally {
                if (!isRunning) {
                    outbox.close();
                }
            }
        }
    }

    /** A topic may have been deleted since. */
    private static Map<String, TableName> existing(Map<String, TableName> topics, TopicCatalog catalog) {
        Map<String, TableName> existing = new LinkedHashMap<>(topics);
        existing.keySet().retainAll(catalog.existing(topics.keySet()));
        return existing;
    }

    private Sid streamOf(Peer node) {
        try (SqlSession session = SqlSession.open(client, node)) {
            return Sid.parse(session.value("SELECT @@GLOBAL.server_uuid"));
        }
    }

    private Outbox outbox(KafkaSettings settings, ProgressTopic progress) {
        return plan.delivery().guarantee() == Guarantee.EXACTLY_ONCE
                ? new TransactionOutbox(
                        settings,
                        progress,
                        figures,
                        clock,
                        plan.limits().timeouts().transaction())
                : new AcknowledgedOutbox(settings, progress, figures, clock);
    }

    /** Another sink's open Kafka transaction ends at the latest with its timeout. */
    private Duration longestRead() {
        return plan.limits()
                .timeouts()
                .transaction()
                .plus(plan.limits().timeouts().request());
    }

    private SinkPlace place(Optional<ProgressTopic.Stored> stored, Sid sid) {
        SinkPlace place = stored.map(ProgressTopic.Stored::place).orElse(null);
        if (place != null && !place.transaction().gtid().sid().equals(sid)) {
            throw new TributaryException(
                    ErrorCode.SINK_OTHER_STREAM,
                    "sink " + plan.name() + ", topic " + plan.target().progressTopic()
                            + ": expected the place in the stream " + sid + ", found transaction "
                            + place.transaction().gtid());
        }
        return place;
    }

    private void requirePartitions(SlotSender sender) {
        sender.changedPartitions().ifPresent(change -> {
            if (!plan.target().topics().acceptsPartitions()) {
                throw new TributaryException(ErrorCode.SINK_PARTITIONS_CHANGED, change);
            }
            LOG.warn("changed partitions are accepted: sink={} change=\"{}\"", plan.name(), change);
        });
    }
}
