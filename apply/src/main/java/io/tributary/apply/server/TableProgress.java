package io.tributary.apply.server;

import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.sql.SqlNames;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The progress in tables of the schema {@code tributary_apply} of the target, for servers that do not keep GTIDs of the stream:
 *
 * <ul>
 *   <li>{@code streams}: for each stream its UUID, the number of the newest run, and in strict order the last transaction
 *   <li>{@code executed}: a set of transactions
 *   <li>{@code applied}: transactions that are not in that set yet, a row for each batch
 *   <li>{@code fences}: rows with the number of the newest run, of which each transaction locks one
 *   <li>{@code statements}: see {@link StatementMarks}
 * </ul>
 *
 * <p>Each transaction checks that its run is the newest one, so that a process that was frozen cannot write after another one has begun.
 */
final class TableProgress implements ApplyProgress {
    /** The schema of all that the applier stores in the target. */
    static final String SCHEMA = "tributary_apply";

    static final String CREATE_SCHEMA = "CREATE DATABASE IF NOT EXISTS " + SCHEMA + " CHARACTER SET utf8mb4";
    static final String CREATE_EXECUTED = "CREATE TABLE IF NOT EXISTS " + SCHEMA
            + ".executed (name VARCHAR(64) CHARACTER SET ascii PRIMARY KEY,"
            + " gtids LONGTEXT CHARACTER SET ascii NOT NULL) ENGINE=InnoDB";

    /** Rows that transactions lock, so that a new run waits for those that are not finished. More than there are sessions, so that few wait. */
    private static final int FENCES = 128;

    private static final String[] TABLES = {
        CREATE_SCHEMA,
        "CREATE TABLE IF NOT EXISTS " + SCHEMA + ".streams (name VARCHAR(64) CHARACTER SET ascii PRIMARY KEY,"
                + " uuid CHAR(36) NOT NULL, run BIGINT NOT NULL, last BIGINT NOT NULL) ENGINE=InnoDB",
        CREATE_EXECUTED,
        "CREATE TABLE IF NOT EXISTS " + SCHEMA + ".applied (name VARCHAR(64) CHARACTER SET ascii, first BIGINT,"
                + " last BIGINT NOT NULL, PRIMARY KEY (name, first)) ENGINE=InnoDB",
        "CREATE TABLE IF NOT EXISTS " + SCHEMA + ".fences (name VARCHAR(64) CHARACTER SET ascii, slot INT,"
                + " run BIGINT NOT NULL, PRIMARY KEY (name, slot)) ENGINE=InnoDB",
        StatementMarks.CREATE
    };

    private final SqlSession control;
    private final String stream;
    private final Sid sid;
    private final boolean isStrict;
    private final String run;
    private final StatementMarks marks;
    private GtidSet known;
    private long previous;

    private TableProgress(SqlSession control, String stream, Sid sid, boolean isStrict) {
        this.control = control;
        this.stream = stream;
        this.sid = sid;
        this.isStrict = isStrict;
        this.marks = new StatementMarks(control, stream);
        this.run = control.value("SELECT run FROM " + SCHEMA + ".streams" + ofStream());
    }

    /**
     * Begins a run, which ends those before it.
     *
     * @param control a session that holds the lock of the only run of this stream; not owned
     * @param start the progress if the target has none
     * @throws io.tributary.common.error.TributaryException TARGET_UNFIT if the progress is that of another stream; TARGET_FAILED, TARGET_UNREACHABLE
     */
    static TableProgress begin(SqlSession control, ApplyStream stream, GtidSet start) {
        control.run(TABLES);
        String name = SqlNames.literal(stream.name());
        String uuid = stream.sid().toString();
        control.run(
                "START TRANSACTION",
                "INSERT IGNORE INTO " + SCHEMA + ".executed VALUES (" + name + ", '" + start.line() + "')",
                "INSERT IGNORE INTO " + SCHEMA + ".streams VALUES (" + name + ", '" + uuid + "', 0, 0)",
                "UPDATE " + SCHEMA + ".streams SET run = run + 1 WHERE name = " + name,
                "INSERT IGNORE INTO " + SCHEMA + ".fences VALUES " + fences(name),
                "UPDATE " + SCHEMA + ".fences SET run = (SELECT run FROM " + SCHEMA + ".streams WHERE name = " + name
                        + ") WHERE name = " + name,
                "COMMIT");
        String found = control.value("SELECT uuid FROM " + SCHEMA + ".streams WHERE name = " + name);
        if (!uuid.equalsIgnoreCase(found)) {
            throw control.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected the progress of stream " + uuid + " in " + SCHEMA + ".streams for apply.name="
                            + stream.name()
                            + ", found that of stream " + found
                            + " | choose another apply.name for another stream; if the stream was made new, copy the tables"
                            + " again and delete the rows of this name from the tables of " + SCHEMA);
        }
        return new TableProgress(control, stream.name(), stream.sid(), stream.isStrict());
    }

    private static String fences(String name) {
        return IntStream.range(0, FENCES)
                .mapToObj(slot -> "(" + name + ", " + slot + ", 0)")
                .collect(Collectors.joining(", "));
    }

    @Override
    public GtidSet executed() {
        GtidSet.Builder all =
                GtidSet.parse(control.value("SELECT gtids FROM " + SCHEMA + ".executed" + ofStream())).toBuilder();
        previous = Long.parseLong(control.value("SELECT last FROM " + SCHEMA + ".streams" + ofStream()));
        if (previous > 0) {
            all.addRange(sid, 1, previous);
        }
        String query = "SELECT first, last FROM " + SCHEMA + ".applied" + ofStream();
        try {
            for (QueryResult.Row row : control.query(query).rows()) {
                all.addRange(sid, Long.parseLong(row.text(0)), Long.parseLong(row.text(1)));
            }
        } catch (MysqlServerError e) {
            throw control.failed(query, e);
        }
        known = all.build();
        return known;
    }

    private String ofStream() {
        return " WHERE name = " + SqlNames.literal(stream);
    }

    @Override
    public void add(StatementPacket packet, ApplyBatch batch, RowForm rows, Turn turn) {
        for (ReplayTransaction transaction : batch.transactions()) {
            transaction.pieces().forEach(events -> rows.add(packet, events));
        }
        turn.await(packet, batch);
        for (String statement :
                store(batch.previous(), batch.first().gno(), batch.last().gtid().gno())) {
            packet.add(statement);
        }
        packet.add("COMMIT");
        turn.pass(packet, batch);
    }

    /**
     * The statements that store some transactions as applied. In strict order they require that the one before was applied last. The server's answer to each
     * statement costs both sides something, so a row of another run makes the INSERT itself fail.
     */
    private List<String> store(long before, long first, long last) {
        String newest = ofStream() + " AND run = " + run;
        return isStrict
                ? List.of(
                        "UPDATE " + SCHEMA + ".streams SET last = " + last + newest + " AND last = " + before,
                        StatementPacket.requireRows(1))
                : List.of("INSERT INTO " + SCHEMA + ".applied VALUES (" + SqlNames.literal(stream) + ", " + first
                        + ", (SELECT " + (last - 1) + " + " + StatementPacket.Check.ROWS.one("run = " + run) + " FROM "
                        + SCHEMA
                        + ".fences" + ofStream() + " AND slot = " + first % FENCES + " FOR UPDATE))");
    }

    @Override
    public long previous() {
        return isStrict ? previous : 0;
    }

    @Override
    public void begin(SqlSession session, ReplayTransaction transaction) {
        session.run("BEGIN");
    }

    @Override
    public void commit(SqlSession session, long before, ReplayTransaction transaction) {
        long number = transaction.gtid().gno();
        session.run(store(before, number, number).toArray(String[]::new));
        session.run(marks.remove(), "COMMIT");
    }

    @Override
    public void execute(SqlSession session, long before, ApplyStatement statement, ReplayTransaction transaction) {
        marks.executeOnce(session, statement, transaction);
        session.run("BEGIN");
        commit(session, before, transaction);
    }

    @Override
    public boolean beginWith(SqlSession session, ApplyStatement statement, ReplayTransaction transaction) {
        marks.executeOnce(session, statement.withoutTransaction(), transaction);
        return false;
    }

    @Override
    public void checkpoint(GtidSet applied) {
        if (isStrict || applied.isEmpty()) {
            return;
        }
        known = known.union(applied);
        control.run(
                "START TRANSACTION",
                "UPDATE " + SCHEMA + ".executed SET gtids = '" + known.line() + "'" + ofStream(),
                "DELETE FROM " + SCHEMA + ".applied" + ofStream() + " AND last <= " + applied.last(sid),
                "COMMIT");
    }
}
