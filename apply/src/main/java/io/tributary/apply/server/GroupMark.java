package io.tributary.apply.server;

import io.tributary.common.gtid.Gtid;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;

/**
 * Tells readers of the target up to which transaction it has all, and no later one: the table {@code tributary_apply.consistent}. This is so from the
 * time of its row until the next transaction commits. For the thread that reads the stream.
 */
public final class GroupMark {
    private static final String TABLE = TableProgress.SCHEMA + ".consistent";

    private final SqlSession control;
    private final String stream;

    /** @param control of the target; not owned */
    public GroupMark(SqlSession control, String stream) {
        this.control = control;
        this.stream = stream;
        control.run(
                TableProgress.CREATE_SCHEMA,
                "CREATE TABLE IF NOT EXISTS " + TABLE + " (name VARCHAR(64) CHARACTER SET ascii PRIMARY KEY,"
                        + " gtid VARCHAR(80) CHARACTER SET ascii NOT NULL, at DATETIME(6) NOT NULL) ENGINE=InnoDB");
    }

    /** All transactions up to this one are applied. */
    public void write(Gtid last) {
        control.run("REPLACE INTO " + TABLE + " VALUES (" + SqlNames.literal(stream) + ", '" + last
                + "', UTC_TIMESTAMP(6))");
    }
}
