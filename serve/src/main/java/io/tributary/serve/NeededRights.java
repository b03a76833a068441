package io.tributary.serve;

import io.tributary.mysql.protocol.auth.Right;
import io.tributary.serve.sql.SqlReader;
import java.util.Set;

/** The rights that a statement needs: one of the named set, or none for an empty set. Text that is no statement needs none. */
final class NeededRights {
    /** To read the binlog. */
    static final Set<Right> DUMP = Set.of(Right.REPLICATION);

    /** To see the position of the binlog, and its readers. */
    static final Set<Right> STATUS = Set.of(Right.REPLICATION, Right.MONITOR, Right.ADMIN);

    /** To see sessions of all users. */
    static final Set<Right> SESSIONS = Set.of(Right.MONITOR, Right.ADMIN);

    /** To end other users' sessions, and to purge and rotate files. */
    static final Set<Right> CHANGE = Set.of(Right.ADMIN);

    private NeededRights() {}

    /** The rights of which a statement needs one, determined from its first words. */
    static Set<Right> of(String sql) {
        SqlReader reader = new SqlReader(sql);
        Set<Right> needed = of(reader);
        if (reader.accept("SET", "STATEMENT")) {
            while (!reader.atEnd() && needed.isEmpty()) { // SET STATEMENT ... FOR statement
                if (reader.accept("FOR")) {
                    needed = of(reader);
                } else {
                    reader.next();
                }
            }
        }
        return needed;
    }

    private static Set<Right> of(SqlReader reader) {
        if (reader.accept("SHOW")) {
            return ofShow(reader);
        }
        if (reader.accept("PURGE")) {
            return CHANGE;
        }
        if (reader.accept("FLUSH")) {
            reader.acceptAny("LOCAL", "NO_WRITE_TO_BINLOG");
            boolean changes = reader.accept("LOGS") || reader.accept("BINARY", "LOGS") || reader.accept("PRIVILEGES");
            return changes ? CHANGE : Set.of();
        }
        return Set.of();
    }

    private static Set<Right> ofShow(SqlReader reader) {
        reader.acceptAny("GLOBAL", "SESSION", "LOCAL", "FULL");
        if (reader.accept("BINLOG", "EVENTS")) {
            return DUMP;
        }
        if (reader.acceptAny("MASTER", "BINARY", "SLAVE", "REPLICAS", "REPLICA")) {
            return STATUS;
        }
        if (reader.accept("TRIBUTARY", "SCHEMA")) {
            return Set.of(); // as for other questions about schemas: a user sees the tables that it may read
        }
        if (reader.accept("TRIBUTARY", "CHECKPOINT")) {
            return STATUS;
        }
        if (reader.acceptAny("PROCESSLIST", "TRIBUTARY")) {
            return SESSIONS;
        }
        return Set.of();
    }
}
