package io.tributary.node.sink;

import io.tributary.common.config.Key;
import io.tributary.common.error.TributaryException;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.route.DispatchRules;
import io.tributary.sink.route.TopicExpression;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The configuration keys of the topics of a sink, and of the partitions of the rows. */
public record SinkTopicsConfig(
        @Key(
                value = "sink.topic",
                byDefault = "{schema}.{table}",
                about = "Topic of a table: letters, digits, '.', '_', '-', {schema} and {table}; other characters of a name become"
                        + " '_'.")
        String expression,

        @Key(
                value = "sink.dispatch",
                byDefault = "*.*:table",
                about =
                        "Rules schema.table:way, of which the first one that fits decides by what the rows of a table are divided among"
                                + " partitions: table, key, columns(a,b), transaction or none (no order).")
        String dispatch,

        New creation,
        Special special) {
    /** Topics that are created. */
    public record New(
            @Key(
                    value = "sink.topic.create",
                    byDefault = "true",
                    about = "Whether the sink creates topics that do not exist.")
            boolean mayCreate,

            @Key(
                    value = "sink.topic.partitions",
                    byDefault = "1",
                    min = "1",
                    max = "10000",
                    about = "Number of partitions of a topic that the sink creates.")
            int partitions,

            @Key(
                    value = "sink.topic.replication",
                    byDefault = "0",
                    min = "0",
                    max = "100",
                    about = "Replication factor of a topic that the sink creates; 0: that of the brokers.")
            int replication,

            @Key(
                    value = "sink.partitions.changed",
                    byDefault = "refuse",
                    about =
                            "What happens if a topic whose rows are divided by key or columns has another number of partitions than"
                                    + " before: refuse, or accept, after which changes of one row are in two partitions.")
            PartitionsChanged changed) {}

    /** What happens if the number of partitions has changed. */
    public enum PartitionsChanged {
        REFUSE,
        ACCEPT
    }

    /** Topics without rows. */
    public record Special(
            @Key(
                    value = "sink.progress.topic",
                    byDefault = SinkPlan.Target.PROGRESS_TOPIC,
                    about = "Topic with the progress of sinks: one partition, compacted.")
            String progress,

            @Key(
                    value = "sink.transactions.topic",
                    about = "Topic to which a BEGIN and an END of each transaction are sent, as Debezium does; not set: none.")
            Optional<String> transactions) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,249}");

        public Special {
            requireName("sink.progress.topic", progress);
            transactions.ifPresent(name -> requireName("sink.transactions.topic", name));
        }

        private static void requireName(String key, String name) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(key
                        + ": expected the name of a topic, 1 to 249 letters, digits, '.', '_' and '-', found '" + name
                        + "'");
            }
        }
    }

    /** Commas that are not in parentheses. */
    private static final Pattern BETWEEN_RULES = Pattern.compile(",(?![^(]*\\))");

    private static final short OF_THE_BROKERS = -1;

    public SinkTopicsConfig {
        try {
            var unused = new TopicExpression(expression);
        } catch (TributaryException e) {
            throw new IllegalArgumentException("sink.topic: " + e.getMessage(), e);
        }
        try {
            var unused = rules(dispatch);
        } catch (TributaryException e) {
            throw new IllegalArgumentException("sink.dispatch: " + e.getMessage(), e);
        }
    }

    private static DispatchRules rules(String dispatch) {
        List<String> texts = Stream.of(BETWEEN_RULES.split(dispatch, -1))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        return DispatchRules.of(texts);
    }

    /** By what rows are divided. */
    DispatchRules rules() {
        return rules(dispatch);
    }

    /** The topics of the rows. */
    SinkPlan.Topics topics() {
        return new SinkPlan.Topics(
                new TopicExpression(expression),
                creation.partitions,
                creation.replication == 0 ? OF_THE_BROKERS : (short) creation.replication,
                creation.mayCreate,
                creation.changed == PartitionsChanged.ACCEPT);
    }
}
