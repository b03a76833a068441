package io.tributary.serve.statement;

import io.tributary.serve.sql.SqlValue;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The variables of SHOW STATUS: a few counters with MySQL's names. */
final class ServerStatusVariables {
    private final Map<String, SqlValue> table = new TreeMap<>();

    /** @param session values of the session that asks */
    ServerStatusVariables(BinlogStatus status, Map<String, String> session) {
        long dumps = status.sessions().stream()
                .filter(each -> each.command().startsWith("Binlog Dump"))
                .count();
        table.put("Uptime", SqlValue.of(status.uptimeSeconds()));
        table.put("Threads_connected", SqlValue.of(status.sessions().size()));
        table.put("Threads_running", SqlValue.of(dumps));
        table.put("Questions", SqlValue.of(status.statements()));
        table.put("Replicas_connected", SqlValue.of(dumps));
        table.put("Rpl_semi_sync_source_status", SqlValue.of(status.waitsForReplicas() ? "ON" : "OFF"));
        table.put("Rpl_semi_sync_master_status", SqlValue.of(status.waitsForReplicas() ? "ON" : "OFF"));
        session.forEach((name, value) -> table.put(name, SqlValue.of(value)));
    }

    /** The variables with matching names, in the order of their names. */
    Map<String, SqlValue> matching(Predicate<String> name) {
        Map<String, SqlValue> found = new TreeMap<>(table);
        found.keySet().removeIf(name.negate());
        return found;
    }
}
