package io.tributary.bench.sink;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeInput;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.StreamReader;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The rows events of a table with 60 columns and about 1.2 kB in each row, as a server wrote them. */
public final class WideRows implements ChangeHandler {
    /** The rows of {@link #insert}. */
    static final int ROWS = 2000;

    private static final int ROWS_PER_STATEMENT = 100;
    private static final long SERVER_ID = 4_000_000_009L;

    private final List<Event> events = new ArrayList<>();
    private final Gtid last;
    private ChangeInput input;
    private ChangeTransaction transaction;

    /** Rows of one table: a whole event without its checksum. */
    public record Event(ChangeTransaction transaction, ChangeTable table, ByteBuffer bytes) {}

    private WideRows(Gtid last) {
        this.last = last;
    }

    /** Inserts the rows into a new table of schema {@code wide} and reads their events. */
    public static List<Event> of(MysqlServer server) throws SQLException {
        GtidSet before = GtidSet.parse(server.gtidExecuted());
        try (Sql sql = server.sql()) {
            insert(sql);
        }
        GtidSet after = GtidSet.parse(server.gtidExecuted());
        Sid sid = after.sids().get(0);
        Endpoint endpoint = Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        Peer peer = Peer.node(endpoint, Duration.ofSeconds(30));
        MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        MysqlClient client = new MysqlClient(loop);
        try (ServerDefinitions definitions = new ServerDefinitions(client, peer)) {
            WideRows rows = new WideRows(new Gtid(sid, after.last(sid)));
            rows.input = new ChangeInput(rows, definitions);
            StreamReader.Replica replica = new StreamReader.Replica(SERVER_ID, new UUID(SERVER_ID, 1));
            new StreamReader(client, peer, replica, Clock.SYSTEM).read(rows.input, before, () -> {});
            return rows.events;
        } finally {
            loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Makes the table and inserts its first 2,000 rows. */
    static void insert(Sql sql) throws SQLException {
        StringJoiner columns = new StringJoiner(", ");
        columns.add("id BIGINT UNSIGNED PRIMARY KEY");
        add(columns, "quantity", 14, "INT NOT NULL");
        add(columns, "reference", 10, "BIGINT");
        add(columns, "amount", 8, "DECIMAL(12,2) NOT NULL");
        add(columns, "rate", 3, "DOUBLE");
        add(columns, "changed", 4, "DATETIME");
        add(columns, "seen", 3, "TIMESTAMP(3) NULL");
        add(columns, "due", 2, "DATE");
        add(columns, "note", 12, "VARCHAR(100) CHARACTER SET utf8mb4");
        add(columns, "state", 2, "ENUM('new','paid','sent')");
        add(columns, "text", 1, "TEXT CHARACTER SET utf8mb4");
        sql.execute("SET time_zone = '+00:00'", "CREATE DATABASE wide", "CREATE TABLE wide.orders (" + columns + ")");
        Random random = new Random(1);
        for (int i = 0; i < ROWS / ROWS_PER_STATEMENT; i++) {
            StringJoiner rows = new StringJoiner(", ");
            for (int row = 0; row < ROWS_PER_STATEMENT; row++) {
                rows.add(row(i * ROWS_PER_STATEMENT + row + 1, random));
            }
            sql.execute("INSERT INTO wide.orders VALUES " + rows);
        }
    }

    private static void add(StringJoiner columns, String name, int number, String type) {
        for (int i = 1; i <= number; i++) {
            columns.add(name + "_" + i + " " + type);
        }
    }

    private static String row(int id, Random random) {
        StringJoiner values = new StringJoiner(", ", "(", ")");
        values.add(String.valueOf(id));
        for (int i = 0; i < 14; i++) {
            values.add(String.valueOf(random.nextInt(1_000_000)));
        }
        for (int i = 0; i < 10; i++) {
            values.add(String.valueOf(random.nextLong(1_000_000_000_000L)));
        }
        for (int i = 0; i < 8; i++) {
            values.add(random.nextInt(1_000_000) + "." + (10 + random.nextInt(90)));
        }
        for (int i = 0; i < 3; i++) {
            values.add(String.valueOf(random.nextDouble()));
        }
        for (int i = 0; i < 7; i++) {
            values.add("'2026-" + (10 + random.nextInt(3)) + "-" + (10 + random.nextInt(18)) + " 12:"
                    + (10 + random.nextInt(50)) + ":30" + (i < 4 ? "" : ".123") + "'");
        }
        values.add("'2026-01-31'").add("'2027-12-01'");
        for (int i = 0; i < 12; i++) {
            values.add("'" + text(random, 50) + "'");
        }
        return values.add("'paid'")
                .add("'new'")
                .add("'" + text(random, 280) + "'")
                .toString();
    }

    private static String text(Random random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append((char) (random.nextInt(6) == 0 ? ' ' : 'a' + random.nextInt(26)));
        }
        return text.toString();
    }

    @Override
    public boolean wants(TableName table) {
        return table.schema().equals("wide");
    }

    @Override
    public void begin(ChangeTransaction begun) {
        transaction = begun;
    }

    @Override
    public void rows(ChangeTable table, ByteBuffer view, int at, int end) {
        byte[] event = new byte[end - at];
        view.get(at, event);
        events.add(new Event(transaction, table, ByteBuffer.wrap(event)));
    }

    @Override
    public void statement(ChangeStatement statement) {
        // has no rows
    }

    @Override
    public void end(String file, long position) {
        if (transaction.gtid().equals(last)) {
            input.finish();
        }
    }
}
