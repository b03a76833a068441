package io.tributary.testkit.compare;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * A seeded sequence of transactions, one after another, each on a shard (or, as XA, on two) and with the same statements on one
 * more server, the twin: column types, DDL, XA, JSON, a row larger than a packet. It ends with a row in {@code shop.done}.
 *
 * <p>XA on the shards is a plain transaction on the twin. Statements contain every value, so both sides have the same rows.
 */
public final class TwinWorkload {
    /** Schemas that it writes. The second contains JSON, which not every client can read. */
    public static final List<String> SCHEMAS = List.of("shop", "docs");

    /** A client that has read a row of this table has read everything. */
    public static final String DONE = "shop.done";

    private static final List<String> TABLES = List.of(
            "CREATE DATABASE shop",
            "CREATE DATABASE docs",
            "CREATE TABLE shop.numbers (id BIGINT PRIMARY KEY, a TINYINT, b SMALLINT UNSIGNED, c MEDIUMINT, d INT UNSIGNED,"
                    + " e BIGINT, f DECIMAL(30,10), g FLOAT, h DOUBLE, i BIT(12), j YEAR)",
            "CREATE TABLE shop.times (id BIGINT PRIMARY KEY, a DATE, b TIME(3), c DATETIME(6), d TIMESTAMP(3) NULL)",
            "CREATE TABLE shop.words (id BIGINT PRIMARY KEY, a CHAR(10) CHARACTER SET latin1, b VARCHAR(300), c MEDIUMTEXT,"
                    + " d VARBINARY(40), e BLOB, f ENUM('one','two','three'), g SET('x','y','z'))",
            "CREATE TABLE docs.documents (id BIGINT PRIMARY KEY, j JSON)",
            "CREATE TABLE shop.accounts (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL)",
            "CREATE TABLE shop.big (id BIGINT PRIMARY KEY, body LONGBLOB)",
            "CREATE TABLE shop.done (id BIGINT PRIMARY KEY)");
    private static final List<String> LATE_DDL = List.of(
            "ALTER TABLE shop.words ADD COLUMN h VARCHAR(20) DEFAULT 'late'",
            "CREATE TABLE shop.gone (id INT PRIMARY KEY)",
            "RENAME TABLE shop.gone TO shop.going",
            "DROP TABLE shop.going",
            "CREATE INDEX by_b ON shop.numbers (b)");
    /**
     * A DDL statement that runs on one shard after another.
     *
     * @param statement the DDL statement
     * @param before the row that a shard without it inserts; ? is a number, the row's key
     * @param after the row that a shard inserts after it
     * @param atTwin the row that the twin inserts for a shard without it
     */
    private record Rolling(String statement, String before, String after, String atTwin) {}

    private static final String ROLLED = "CREATE TABLE shop.rolled (id BIGINT PRIMARY KEY, a INT, d VARCHAR(20))";
    private static final List<Rolling> ROLLING = List.of(
            new Rolling(
                    "ALTER TABLE shop.rolled ADD COLUMN b INT NOT NULL DEFAULT 7 AFTER id",
                    "(id, a, d) VALUES (?, 1, 'x')",
                    "(id, b, a, d) VALUES (?, 2, 1, 'x')",
                    "(id, b, a, d) VALUES (?, 7, 1, 'x')"),
            new Rolling(
                    "ALTER TABLE shop.rolled MODIFY COLUMN a BIGINT",
                    "(id, b, a, d) VALUES (?, 2, -5, 'y')",
                    "(id, b, a, d) VALUES (?, 2, 9000000000, 'y')",
                    "(id, b, a, d) VALUES (?, 2, -5, 'y')"),
            new Rolling(
                    "ALTER TABLE shop.rolled CHANGE COLUMN a amount BIGINT",
                    "(id, b, a, d) VALUES (?, 3, 4, 'z')",
                    "(id, b, amount, d) VALUES (?, 3, 5, 'z')",
                    "(id, b, amount, d) VALUES (?, 3, 4, 'z')"),
            new Rolling(
                    "ALTER TABLE shop.rolled DROP COLUMN d",
                    "(id, b, amount, d) VALUES (?, 3, 4, 'gone')",
                    "(id, b, amount) VALUES (?, 3, 5)",
                    "(id, b, amount) VALUES (?, 3, 4)"));
    /** How often {@link #run} has settled when it is at its middle: once before the late DDL, and after each statement of it. */
    public static final int SETTLES_TO_MIDDLE = 1 + LATE_DDL.size();

    private static final int ACCOUNTS = 20;
    private static final int HUGE_ROW = 17 << 20;

    private final List<MysqlServer> shards;
    private final MysqlServer twin;
    private final Random random;
    private final List<Sql> sessions = new ArrayList<>();
    private final List<List<String>> live = new ArrayList<>();
    private final boolean xaPrepares;
    private Sql twinSession;
    private long nextId = 1;
    private long nextXid = 1;
    private boolean isLate;

    /** Waits until all transactions of the shards are in the output: a column must not change while rows are still in the pipeline. */
    @FunctionalInterface
    public interface Settle {
        void all() throws SQLException;
    }

    public TwinWorkload(List<MysqlServer> shards, MysqlServer twin, long seed) {
        this.shards = List.copyOf(shards);
        this.twin = twin;
        this.random = new Random(seed);
        this.xaPrepares = shards.stream()
                .map(MysqlServer::release)
                .allMatch(release -> release.isMariadb() || release.isMysqlFrom(50707));
        shards.forEach(shard -> live.add(new ArrayList<>()));
    }

    /**
     * Runs DDL statements of one table on one shard after another, with rows of all shards before, between and after them. The twin runs each
     * statement together with the first shard, and inserts the rows of the other shards as the statement converts them. Ends as {@link #run}
     * does.
     */
    public void roll(Settle settle) throws SQLException {
        try {
            open();
            onEach(List.of("CREATE DATABASE shop", "CREATE TABLE shop.done (id BIGINT PRIMARY KEY)", ROLLED));
            settle.all();
            for (Rolling change : ROLLING) {
                roll(change, settle);
            }
            local(0, "INSERT INTO shop.done VALUES (1)");
            settle.all();
        } finally {
            close();
        }
    }

    private void roll(Rolling change, Settle settle) throws SQLException {
        for (int had = 0; had <= shards.size(); had++) {
            for (int shard = 0; shard < shards.size(); shard++) {
                boolean hasIt = shard < had;
                String row = Long.toString(nextId++);
                sessions.get(shard).execute(insert(hasIt ? change.after() : change.before(), row));
                boolean isAhead = had > 0 && !hasIt;
                twinSession.execute(insert(hasIt ? change.after() : isAhead ? change.atTwin() : change.before(), row));
                settle.all(); // so that both binlogs have the rows in the same order
            }
            if (had < shards.size()) {
                sessions.get(had).execute(change.statement());
                if (had == 0) {
                    twinSession.execute(change.statement());
                }
                settle.all();
            }
        }
    }

    private static String insert(String values, String row) {
        return "INSERT INTO shop.rolled " + values.replace("?", row);
    }

    /** Runs all transactions; returns the number of transactions with rows. */
    public int run(int transactions, Settle settle) throws SQLException {
        try {
            open();
            onEach(TABLES);
            for (int i = 0; i < ACCOUNTS; i++) {
                local(i % shards.size(), "INSERT INTO shop.accounts VALUES (" + i + ", 1000)");
            }
            int done = ACCOUNTS;
            for (int i = 0; i < transactions; i++, done++) {
                if (i == transactions / 2) {
                    settle.all();
                    // One statement at a time is in the pipeline: else a shard may create, rename and drop a table
                    // before another one creates it.
                    for (String statement : LATE_DDL) {
                        onEach(List.of(statement));
                        settle.all();
                    }
                    isLate = true;
                }
                one();
            }
            local(0, "INSERT INTO shop.big VALUES (1, REPEAT('huge row ', " + HUGE_ROW / 9 + "))");
            settle.all();
            local(0, "INSERT INTO shop.done VALUES (1)");
            settle.all();
            return done + 2;
        } finally {
            close();
        }
    }

    private void open() throws SQLException {
        for (MysqlServer shard : shards) {
            sessions.add(session(shard));
        }
        twinSession = session(twin);
    }

    private static Sql session(MysqlServer server) throws SQLException {
        server.execute("SET GLOBAL max_allowed_packet = 1073741824");
        return server.sql()
                .execute(
                        "SET time_zone = '+00:00'",
                        "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci",
                        "SET sql_mode = ''");
    }

    private void one() throws SQLException {
        int shard = random.nextInt(shards.size());
        if (shards.size() > 1 && xaPrepares && random.nextInt(8) == 0) {
            distributed(shard, (shard + 1) % shards.size());
            return;
        }
        List<String> rows = live.get(shard);
        List<String> statements = new ArrayList<>();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int kind = rows.size() < 10 ? 0 : random.nextInt(10);
            if (kind < 6) {
                statements.add(insert(rows));
            } else if (kind < 8) {
                String row = rows.get(random.nextInt(rows.size()));
                statements.add(update(row));
            } else {
                statements.add("DELETE FROM " + rows.remove(random.nextInt(rows.size())));
            }
        }
        local(shard, statements.toArray(String[]::new));
    }

    private String insert(List<String> rows) {
        long id = nextId++;
        String table = List.of("shop.numbers", "shop.times", "shop.words", "docs.documents")
                .get(random.nextInt(4));
        rows.add(table + " WHERE id = " + id);
        return "INSERT INTO " + table + " VALUES (" + id + ", " + values(table) + ")";
    }

    private String update(String row) {
        String[] parts = row.split(" ", 2);
        String change = switch (parts[0]) {
            case "shop.numbers" -> "a = a + 1, f = -f, h = " + random.nextInt(1000);
            case "shop.times" -> "a = NULL, c = '2024-02-29 23:59:59.999999'";
            case "shop.words" -> "b = CONCAT(b, '+'), f = 'three', g = 'x,z'";
            default -> "j = JSON_SET(j, '$.n', " + random.nextInt(1000) + ")";
        };
        return "UPDATE " + parts[0] + " SET " + change + " " + parts[1];
    }

    private String values(String table) {
        Random r = random;
        return switch (table) {
            case "shop.numbers" ->
                String.join(
                        ", ",
                        Integer.toString(r.nextInt(256) - 128),
                        Integer.toString(r.nextInt(1 << 16)),
                        Integer.toString(r.nextInt(1 << 24) - (1 << 23)),
                        Long.toString(r.nextInt() & 0xFFFFFFFFL),
                        r.nextInt(5) == 0 ? "NULL" : Long.toString(r.nextLong()),
                        r.nextInt(1_000_000) + "." + r.nextInt(1_000_000_000),
                        Float.toString(r.nextFloat()),
                        Double.toString(r.nextGaussian()),
                        "b'" + Integer.toBinaryString(r.nextInt(1 << 12)) + "'",
                        Integer.toString(1901 + r.nextInt(200)));
            case "shop.times" ->
                "'20" + two(10 + r.nextInt(25)) + "-0" + (1 + r.nextInt(9)) + "-" + two(1 + r.nextInt(28)) + "', '"
                        + (r.nextBoolean() ? "-" : "") + two(r.nextInt(24)) + ":" + two(r.nextInt(60)) + ":01."
                        + (100 + r.nextInt(900)) + "', '2021-03-04 05:06:07." + (100_000 + r.nextInt(900_000))
                        + "', '2022-10-11 12:13:14." + (100 + r.nextInt(900)) + "'";
            case "shop.words" ->
                "'caf\u00e9', " + text("a\u00e9\u4e2d\ud83d\ude00", 40) + ", " + text("long text \u00fc ", 900) + ", "
                        + bytes(40) + ", " + bytes(200) + ", " + (1 + r.nextInt(3)) + ", " + r.nextInt(8)
                        + (isLate ? ", 'now'" : "");
            default ->
                "'{\"n\": " + r.nextInt() + ", \"s\": \"v" + r.nextInt(100) + "\", \"a\": [1, 2.5, null, true, {\"k\": "
                        + r.nextInt(10) + "}]}'";
        };
    }

    private String text(String letters, int most) {
        int[] points = letters.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(most);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return "_utf8mb4 X'" + HexFormat.of().formatHex(text.toString().getBytes(StandardCharsets.UTF_8)) + "'";
    }

    private String bytes(int most) {
        byte[] value = new byte[random.nextInt(most)];
        random.nextBytes(value);
        return "X'" + HexFormat.of().formatHex(value) + "'";
    }

    private static String two(int value) {
        return value < 10 ? "0" + value : Integer.toString(value);
    }

    /** Runs a DDL statement on every shard, and once on the twin. */
    private void onEach(List<String> statements) throws SQLException {
        for (String statement : statements) {
            for (Sql session : sessions) {
                session.execute(statement);
            }
            twinSession.execute(statement);
        }
    }

    private void local(int shard, String... statements) throws SQLException {
        for (Sql session : List.of(sessions.get(shard), twinSession)) {
            session.execute("BEGIN").execute(statements).execute("COMMIT");
        }
    }

    private void distributed(int one, int other) throws SQLException {
        int amount = random.nextInt(100);
        int account = random.nextInt(ACCOUNTS / shards.size()) * shards.size();
        String take = transfer(account + one, -amount);
        String give = transfer(account + other, amount);
        String gtrid = "'twin-" + nextXid++ + "'";
        prepare(sessions.get(one), gtrid + ",'1'", take);
        prepare(sessions.get(other), gtrid + ",'2'", give);
        sessions.get(one).execute("XA COMMIT " + gtrid + ",'1'");
        sessions.get(other).execute("XA COMMIT " + gtrid + ",'2'");
        twinSession.execute("BEGIN", take, give, "COMMIT");
    }

    private static String transfer(int account, int amount) {
        return "UPDATE shop.accounts SET balance = balance + " + amount + " WHERE id = " + account;
    }

    private static void prepare(Sql session, String xid, String work) throws SQLException {
        session.execute("XA START " + xid, work, "XA END " + xid, "XA PREPARE " + xid);
    }

    private void close() throws SQLException {
        for (Sql session : sessions) {
            session.close();
        }
        if (twinSession != null) {
            twinSession.close();
        }
    }
}
