package io.tributary.dumper.serve;

import io.tributary.dumper.sql.SqlReader;
import io.tributary.mysql.protocol.auth.Right;
import java.util.Set;

/** Which right a statement needs: one of those named here, none where none is. What is not a statement at all needs none. */
final class NeededRights {
    /** To read the binlog itself. */
    static final Set<Right> DUMP = Set.of(Right.REPLICATION);

    /** To ask where the binlog stands, and who reads it. */
    static final Set<Right> WATCH = Set.of(Right.REPLICATION, Right.MONITOR, Right.ADMIN);

    /** To look at sessions of all users. */
    static final Set<Right> LOOK = Set.of(Right.MONITOR, Right.ADMIN);

    /** To end other users' sessions, and to change what is kept. */
    static final Set<Right> CHANGE = Set.of(Right.ADMIN);

    private NeededRights() {}

    /** The rights of which a statement needs one, by its first words. */
    static Set<Right> of(String sql) {
        SqlReader reader = new SqlReader(sql);
        Set<Right> needed = of(reader);
        if (reader.accept("SET", "STATEMENT")) {
            while (!reader.atEnd() && needed.isEmpty()) { // SET STATEMENT ... FOR what is to be done
                if (reader.accept("FOR")) {
                    needed = of(reader);
                } else {
                    reader.take();
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
            return WATCH;
        }
        if (reader.accept("TRIBUTARY", "SCHEMA")) {
            return Set.of(); // as other questions about schemas: each sees the tables that he reads
        }
        if (reader.acceptAny("PROCESSLIST", "TRIBUTARY")) {
            return LOOK;
        }
        return Set.of();
    }
}
