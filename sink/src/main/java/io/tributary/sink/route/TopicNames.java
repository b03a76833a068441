package io.tributary.sink.route;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The topics of the tables of one run. Any thread. */
public final class TopicNames {
    private final TopicExpression expression;
    private final Map<String, TableName> tables = new ConcurrentHashMap<>();

    public TopicNames(TopicExpression expression) {
        this.expression = expression;
    }

    /**
     * The topic of a table.
     *
     * @throws TributaryException SINK_TABLE_UNFIT if another table has it, and tables are not meant to share topics
     */
    public String of(TableName table) {
        String topic = expression.topic(table);
        TableName other = expression.isShared() ? null : tables.putIfAbsent(topic, table);
        if (other != null && !other.equals(table)) {
            throw new TributaryException(
                    ErrorCode.SINK_TABLE_UNFIT,
                    "expected a topic for each table by the expression " + expression.text() + ", found topic " + topic
                            + " for the tables " + other + " and " + table
                            + ", because characters that a topic cannot have are replaced");
        }
        return topic;
    }
}
