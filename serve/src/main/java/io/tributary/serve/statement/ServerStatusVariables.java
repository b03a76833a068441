package io.tributary.serve.statement;

import io.tributary.serve.sql.SqlValue;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The variables of SHOW STATUS: a few counters with MySQL's names. */
final class ServerStatusVariables {
    private final Map<String, SqlValue> table = new TreeMap<>();

    ServerStatusVariables(BinlogStatus status) {
        long dumps = status.sessions().stream()
                .filter(session -> session.command().startsWith("Binlog Dump"))
                .count();
        table.put("Uptime", SqlValue.of(status.uptimeSeconds()));
        table.put("Threads_connected", SqlValue.of(status.sessions().size()));
        table.put("Threads_running", SqlValue.of(dumps));
        table.put("Questions", SqlValue.of(status.statements()));
        table.put("Replicas_connected", SqlValue.of(dumps));
        table.put("Ssl_cipher", SqlValue.of(""));
        table.put("Ssl_version", SqlValue.of(""));
    }

    /** The variables with matching names, in the order of their names. */
    Map<String, SqlValue> matching(Predicate<String> name) {
        Map<String, SqlValue> found = new TreeMap<>(table);
        found.keySet().removeIf(name.negate());
        return found;
    }
}
