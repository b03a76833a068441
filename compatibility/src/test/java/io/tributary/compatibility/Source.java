package io.tributary.compatibility;

import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Something that a client reads: Tributary, or the real server beside it.
 *
 * @param halfGtids what was executed when half of the workload was done, the same transactions at both sources
 * @param allGtids what is executed now
 * @param schemaPort of a real server that holds the tables, for clients that ask their schema apart from the stream
 * @param folder for what clients write, empty for each
 */
record Source(String name, int port, MysqlUser user, String halfGtids, String allGtids, int schemaPort, Path folder) {
    static final String FIRST_FILE = "binlog.000001";
    static final String HOST = "127.0.0.1";

    Sql sql() throws SQLException {
        return Sql.open(port, user.name(), user.password());
    }

    /** Its binlog files and their sizes, as it says. */
    List<Map<String, String>> files() throws SQLException {
        try (Sql sql = sql()) {
            return sql.rows("SHOW BINARY LOGS");
        }
    }
}
