package io.tributary.sink.run;

import io.tributary.changes.ChangeStatement;
import io.tributary.common.value.TableName;
import io.tributary.sink.DdlTreatment;
import io.tributary.sink.SinkPlan;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where statements are sent. A statement is sent once to each topic. For one thread. */
final class StatementRoutes {
    private final SinkPlan.Messages plan;
    private final SinkPlan.Topics topics;
    private final Map<String, TableName> written = new LinkedHashMap<>();

    /** @param before the topics to which earlier runs have sent rows, each with one of the tables */
    StatementRoutes(SinkPlan plan, Map<String, TableName> before) {
        this.plan = plan.messages();
        this.topics = plan.target().topics();
        before.forEach((topic, table) -> {
            if (topics.expression().topic(table).equals(topic)) { // else it is that of another sink.topic
                written.put(topic, table);
            }
        });
    }

    /** Rows of a table are sent to a topic; returns whether they are the first ones. */
    boolean written(String topic, TableName table) {
        return written.putIfAbsent(topic, table) == null;
    }

    /** The topics to which rows or statements were sent. */
    Iterable<String> written() {
        return written.keySet();
    }

    /**
     * The topics for a statement, each with the first table or schema that the statement changes and that belongs to it. That of a schema whose tables have
     * topics of their own goes to those of its tables that were written to.
     */
    Map<String, TableName> of(ChangeStatement statement) {
        Map<String, TableName> found = new LinkedHashMap<>();
        boolean isSent = statement.isDdl()
                && plan.ddl().kind() != DdlTreatment.Kind.NONE
                && plan.format().hasStatements();
        if (isSent) {
            statement.targets().stream().filter(plan.selection().tables()).forEach(target -> add(found, target));
        }
        return found;
    }

    private void add(Map<String, TableName> found, TableName target) {
        if (plan.ddl().kind() == DdlTreatment.Kind.TOPIC) {
            found.putIfAbsent(plan.ddl().topic(), target);
        } else if (!target.table().isEmpty() || !topics.expression().text().contains("{table}")) {
            found.putIfAbsent(topics.expression().topic(target), target);
        } else {
            written.forEach((topic, table) -> {
                if (table.schema().equals(target.schema())) {
                    found.putIfAbsent(topic, target);
                }
            });
        }
    }

    /** Whether a statement goes to all partitions of its topics. */
    boolean isToAll() {
        return plan.ddl().kind() == DdlTreatment.Kind.ALL;
    }
}
