package io.tributary.sink;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.replay.session.Peer;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.route.DispatchRules;
import io.tributary.sink.route.TopicExpression;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a sink does.
 *
 * @param name of its progress; a part of its transactional id. Two sinks of one stream have different names
 * @param target where messages are sent
 * @param messages what is sent
 * @param delivery how it is sent
 * @param limits of one run
 */
public record SinkPlan(String name, Target target, Messages messages, Delivery delivery, Limits limits) {
    /** Checks the name. */
    public SinkPlan {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("expected a name of the sink, found none");
        }
    }

    /**
     * Where messages are sent.
     *
     * @param settings of all Kafka clients: {@code bootstrap.servers}, and those of security; the sink adds its own
     * @param topics those of the rows
     * @param progressTopic has the place of each sink; it is compacted and has one partition
     * @param transactionsTopic receives a BEGIN and an END for each transaction, as Debezium writes them; empty: none
     */
    public record Target(
            Map<String, Object> settings, Topics topics, String progressTopic, Optional<String> transactionsTopic) {
        /** The topic of progress if none is chosen. */
        public static final String PROGRESS_TOPIC = "tributary-progress";

        /** Copies the settings. */
        public Target {
            settings = Map.copyOf(settings);
        }
    }

    /**
     * The topics of the rows.
     *
     * @param expression the topic of each table
     * @param partitions of a topic that is created
     * @param replication of a topic that is created
     * @param mayCreate whether topics are created that do not exist
     * @param acceptsPartitions whether a topic whose number of partitions has changed is used with the new number
     */
    public record Topics(
            TopicExpression expression,
            int partitions,
            short replication,
            boolean mayCreate,
            boolean acceptsPartitions) {}

    /**
     * What is sent.
     *
     * @param format the protocol
     * @param rules how rows are divided among partitions
     * @param selection which tables, and which of their values
     * @param ddl where statements are sent
     * @param hasHeaders whether messages have the headers {@code gtid}, {@code row}, {@code last} and {@code split}
     */
    public record Messages(
            MessageFormat format, DispatchRules rules, Selection selection, DdlTreatment ddl, boolean hasHeaders) {}

    /**
     * What is sent of the binlog.
     *
     * @param tables whose rows and statements are sent
     * @param masks of columns
     */
    public record Selection(Predicate<TableName> tables, ColumnMasks masks) {}

    /**
     * How it is sent.
     *
     * @param guarantee how often a row may arrive
     * @param large what is done with messages that are too large
     * @param splitsTransactions whether a transaction that is larger than {@link Commit} is sent in several Kafka transactions
     * @param watermark time between two watermarks; zero: none
     * @param start transactions that are not sent; used while there is no progress. Empty: all transactions that the node has are sent
     * @param snapshot a server whose rows are sent before the transactions after its place; used while there is no progress, or only a part of its rows
     *     was sent. Empty: none
     */
    public record Delivery(
            Guarantee guarantee,
            LargeMessages large,
            boolean splitsTransactions,
            Duration watermark,
            Optional<GtidSet> start,
            Optional<Peer> snapshot) {}

    /**
     * Limits of a run.
     *
     * @param workers that encode, at least 1
     * @param memory bytes of events and messages in memory
     * @param commit when a Kafka transaction ends
     * @param messageBytes of one message, key and value, before compression. The topic has a limit of its own, after compression
     * @param timeouts of the Kafka clients
     */
    public record Limits(int workers, long memory, Commit commit, int messageBytes, Timeouts timeouts) {}

    /**
     * When a Kafka transaction ends: at the first end of a transaction of the stream after one of these.
     *
     * @param interval since its first message
     * @param rows messages
     * @param bytes of keys and values
     */
    public record Commit(Duration interval, int rows, long bytes) {}

    /**
     * Timeouts of the Kafka clients.
     *
     * @param request one request
     * @param delivery until a message must be acknowledged, with all repetitions. The run then ends with SINK_UNREACHABLE
     * @param transaction a whole Kafka transaction; at most {@code transaction.max.timeout.ms} of the brokers
     */
    public record Timeouts(Duration request, Duration delivery, Duration transaction) {}
}
