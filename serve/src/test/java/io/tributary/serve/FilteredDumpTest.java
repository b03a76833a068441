package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.users.LoginMethods;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader that may read only shop.orders, of a binlog with more tables. */
@Timeout(60)
class FilteredDumpTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int LARGE = 400_000; // more than a block of the server
    private static final PasswordHash PASSWORD = Passwords.salted("secret");
    private static final String ONE = "GTID Begin Map:1 Rows:1! Xid ";
    private static final String EMPTY = "GTID Begin Xid ";

    @TempDir
    Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ShapedStream task = new ShapedStream();
    private Dumper dumper;
    private BinlogServer server;

    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder));
        task.transaction().map(1, "orders").rows(1, 10, true);
        task.transaction().map(2, "secret").rows(2, 10, true);
        task.transaction()
                .map(1, "orders")
                .map(2, "secret")
                .rows(1, 9, false)
                .rows(2, 9, false)
                .rows(2, 9, true);
        task.transaction().map(1, "orders").map(2, "secret").rows(2, 9, false).rows(1, 9, true);
        task.transaction()
                .map(1, "orders")
                .map(2, "secret")
                .rows(1, 9, false)
                .rows(2, 9, false)
                .rows(1, 9, false)
                .rows(2, 9, true);
        task.ddl("shop", "ALTER TABLE `secret` ADD COLUMN c INT");
        task.ddl("shop", "ALTER TABLE `orders` ADD COLUMN c INT");
        task.ddl("", "DROP TABLE shop.secret /* " + "x".repeat(600) + " */");
        task.transaction()
                .map(1, "orders")
                .map(2, "secret")
                .rows(1, LARGE, false)
                .rows(2, LARGE, true);
        task.transaction()
                .map(2, "secret")
                .rows(2, LARGE, true)
                .map(1, "orders")
                .rows(1, LARGE, true);
        dumper.put(task.batch());
        dumper.put(task.cut());
        dumper.run();
        allow("shop.orders");
        server = ServeSettings.serve(
                folder.resolve("serve"), dumper.files(), group, "serve.user = whole", "serve.password = secret");
    }

    /** Sets what the user "reader" may read from now on. */
    private void allow(String tables) {
        Grant grant = new Grant(Set.of(Right.REPLICATION, Right.MONITOR), List.of(), 0, 0);
        UserEntry reader = new UserEntry(
                "reader",
                new LoginMethods(Optional.of(PASSWORD), Optional.empty(), Optional.empty()),
                grant,
                TableFilter.parse(tables));
        UsersFile.change(folder.resolve("serve").resolve(UsersFile.NAME), users -> {
            users.put("reader", reader);
            return users;
        });
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    /** An event that was received. */
    private record Got(String what, long logPos, long size) {}

    private Endpoint as(String user) {
        return Endpoint.of("127.0.0.1", server.address().getPort(), user, "secret")
                .with(TlsMode.DISABLED);
    }

    private List<Got> read(BinlogDump dump) throws Exception {
        List<Got> got = new ArrayList<>();
        Checksum checksum = new Checksum();
        try (MysqlConnection connection =
                        new MysqlClient(group).connect(as("reader")).get(20, TimeUnit.SECONDS);
                BinlogStream stream = connection.await(connection.dump(dump.withoutWaiting()), LIMIT)) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (stream.isOpen()) {
                stream.poll(
                        (view, at, length) -> {
                            checksum.verify(view, at);
                            if (EventHeader.type(view, at) != EventType.ROTATE_EVENT) {
                                got.add(new Got(name(view, at), EventHeader.logPos(view, at), length));
                            }
                            return true;
                        },
                        1 << 20);
                assertTrue(System.nanoTime() < deadline, () -> "no end after " + got);
            }
        }
        return got;
    }

    /** A reader that waits for more. */
    private final class Waiting implements AutoCloseable {
        private final MysqlConnection connection;
        private final BinlogStream stream;
        private final List<String> names = new ArrayList<>();

        Waiting(String user, int id) throws Exception {
            connection = new MysqlClient(group).connect(as(user)).get(20, TimeUnit.SECONDS);
            stream = connection.await(connection.dump(BinlogDump.from("binlog.000001", 4, id, new UUID(9, id))), LIMIT);
        }

        List<String> untilTransactions(long count) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (names.stream().filter(FilteredDumpTest::isEnd).count() < count) {
                stream.poll((view, at, length) -> names.add(name(view, at)), 1 << 20);
                assertTrue(System.nanoTime() < deadline, () -> "timed out: " + names);
            }
            return names;
        }

        void untilEnd() {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (stream.isOpen()) {
                stream.poll((view, at, length) -> true, 1 << 20);
                assertTrue(System.nanoTime() < deadline, "expected the end of the dump");
            }
        }

        @Override
        public void close() {
            stream.close();
            connection.close();
        }
    }

    @Test
    void eventsFilteredForOneReaderAreUnchangedForOthersOfItsLoop() throws Exception {
        int there = ends().size();
        try (Waiting filtered = new Waiting("reader", 1)) {
            filtered.untilTransactions(there);
            try (Waiting whole = new Waiting("whole", 2)) {
                whole.untilTransactions(there);
                task.transaction().map(2, "secret").rows(2, 10, true);
                dumper.put(task.batch());
                dumper.put(task.cut());
                dumper.run();
                List<String> secret = List.of("Map:2", "Rows:2!", "Xid");
                List<String> got = whole.untilTransactions(there + 1);
                assertEquals(secret, got.subList(got.lastIndexOf("Begin") + 1, got.lastIndexOf("Xid") + 1));
                List<String> left = filtered.untilTransactions(there + 1);
                assertEquals(
                        List.of("-", "-", "Xid"),
                        left.subList(left.lastIndexOf("Begin") + 1, left.lastIndexOf("Xid") + 1));
            }
        }
    }

    @Test
    void aReaderWithChangedTablesIsDisconnectedAndResumesWithThose() throws Exception {
        int there = ends().size();
        try (Waiting filtered = new Waiting("reader", 1);
                Waiting whole = new Waiting("whole", 2)) {
            filtered.untilTransactions(there);
            whole.untilTransactions(there);
            allow("shop.secret");
            filtered.untilEnd();
            assertTrue(whole.stream.isOpen(), "the other user's filter is unchanged");
        }
        try (Waiting again = new Waiting("reader", 1)) {
            List<String> names = again.untilTransactions(there);
            assertTrue(names.contains("Map:2") && !names.contains("Map:1"), names.toString());
        }
    }

    private MysqlConnection connect(String user) throws Exception {
        return new MysqlClient(group).connect(as(user)).get(20, TimeUnit.SECONDS);
    }

    private QueryResult ask(String user, String sql) throws Exception {
        try (MysqlConnection connection = connect(user)) {
            return connection.query(sql, LIMIT);
        }
    }

    @Test
    void theListOfEventsShowsFilteredEventsWithoutContent() throws Exception {
        QueryResult all = ask("whole", "SHOW BINLOG EVENTS");
        QueryResult some = ask("reader", "SHOW BINLOG EVENTS");
        assertEquals(all.rows().size(), some.rows().size());
        for (int i = 0; i < all.rows().size(); i++) {
            QueryResult.Row whole = all.rows().get(i);
            QueryResult.Row shown = some.rows().get(i);
            assertEquals(List.of(whole.text(1), whole.text(4)), List.of(shown.text(1), shown.text(4)));
            boolean isHidden = whole.text(5).contains("secret") || whole.text(5).startsWith("table_id: 2");
            assertEquals(isHidden ? "Ignorable" : whole.text(2), shown.text(2), whole.text(5));
            assertEquals(isHidden ? "" : whole.text(5), shown.text(5));
        }
        assertTrue(some.rows().stream().noneMatch(row -> row.text(5).contains("secret")));
        assertTrue(some.rows().stream().anyMatch(row -> row.text(5).contains("shop.orders")));
    }

    @Test
    void theListOfEventsBeginsWithinATransactionAndNotWithinAnEvent() throws Exception {
        try (MysqlConnection connection = connect("reader")) {
            for (QueryResult.Row row :
                    connection.query("SHOW BINLOG EVENTS", LIMIT).rows()) {
                QueryResult from = connection.query("SHOW BINLOG EVENTS FROM " + row.text(1) + " LIMIT 1", LIMIT);
                assertEquals(
                        List.of(row.text(2), row.text(5)), List.of(from.text(0, "Event_type"), from.text(0, "Info")));
            }
            assertEquals(
                    1220,
                    assertThrows(MysqlServerError.class, () -> connection.query("SHOW BINLOG EVENTS FROM 5", LIMIT))
                            .errorCode());
        }
    }

    @Test
    void tablesOfTheNodeAreOnlyForReadersOfAllTables() {
        assertEquals(
                1227,
                assertThrows(MysqlServerError.class, () -> ask("reader", "SHOW TRIBUTARY STATUS"))
                        .errorCode());
    }

    private static String name(ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        if (RowsEvent.isRows(type)) {
            return "Rows:" + RowsEvent.tableId(view, at) + (RowsEvent.endsStatement(view, at) ? "!" : "");
        }
        return switch (type) {
            case EventType.GTID_LOG_EVENT -> "GTID";
            case EventType.QUERY_EVENT ->
                QueryEvent.textIs(view, at, EventHeader.end(view, at) - 4, "BEGIN") ? "Begin" : "Ddl";
            case EventType.TABLE_MAP_EVENT -> "Map:" + io.tributary.mysql.event.TableMapEvent.tableId(view, at);
            case EventType.XID_EVENT -> "Xid";
            case EventType.IGNORABLE_LOG_EVENT -> "-";
            case EventType.FORMAT_DESCRIPTION_EVENT -> "Format";
            default -> Integer.toString(type);
        };
    }

    private static String names(List<Got> got, boolean blanks) {
        StringBuilder names = new StringBuilder();
        got.stream()
                .skip(2) // FORMAT_DESCRIPTION and PREVIOUS_GTIDS
                .filter(one -> blanks || !one.what().equals("-"))
                .forEach(one -> names.append(one.what()).append(' '));
        return names.toString();
    }

    private static final String EXPECTED = ONE
            + EMPTY
            + ONE
            + "GTID Begin Map:1 Rows:1! Xid "
            + "GTID Begin Map:1 Rows:1 Rows:1! Xid "
            + EMPTY
            + "GTID Ddl "
            + EMPTY
            + ONE
            + ONE;

    @Test
    void byGtidOnlyReadableEventsAreSentAndEveryTransactionKeepsItsPosition() throws Exception {
        List<Got> got = read(BinlogDump.after(GtidSet.EMPTY, 7, new UUID(9, 9)));
        assertEquals(EXPECTED, names(got, false));
        long bytes = got.stream().mapToLong(Got::size).sum();
        assertTrue(bytes < 3 * LARGE, "received " + bytes + " bytes: filtered events must not be sent");
        assertTrue(bytes > 2 * LARGE);
        assertEquals(
                ends(),
                got.stream().filter(one -> isEnd(one.what())).map(Got::logPos).toList());
    }

    private static boolean isEnd(String what) {
        return what.equals("Xid") || what.equals("Ddl");
    }

    /** Offsets at which transactions end in the file. */
    private List<Long> ends() throws Exception {
        List<Long> ends = new ArrayList<>();
        BinlogFile file = dumper.files().first();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file.path()));
        for (int at = 4; at < file.end(); at = EventHeader.end(bytes, at)) {
            String what = name(bytes, at);
            if (isEnd(what)) {
                ends.add((long) EventHeader.end(bytes, at));
            }
        }
        return ends;
    }

    @Test
    void byPositionAsManyBytesAreSentAsTheFileHas() throws Exception {
        List<Got> got = read(BinlogDump.from("binlog.000001", 4, 7, new UUID(9, 9)));
        assertEquals(EXPECTED, names(got, false));
        long position = 4;
        for (Got one : got) {
            position += one.size();
            if (isEnd(one.what()) || one.what().startsWith("Rows") || one.what().equals("GTID")) {
                assertEquals(position, one.logPos(), one.what());
            }
        }
        assertEquals(dumper.files().first().end(), position);
    }

    @Test
    void aReaderCanResumeAtEveryPositionThatItReceived() throws Exception {
        List<Got> all = read(BinlogDump.from("binlog.000001", 4, 7, new UUID(9, 9)));
        for (int i = 2; i < all.size(); i++) {
            long position = all.get(i).logPos();
            List<Got> rest = read(BinlogDump.from("binlog.000001", position, 7, new UUID(9, 9)));
            assertEquals("Format", rest.get(0).what());
            List<Got> expected = new ArrayList<>();
            int from = i + 1;
            while (from > 0
                    && !all.get(from - 1).what().equals("GTID")
                    && all.get(from - 1).logPos() == position
                    && from - 1 > 0
                    && all.get(from - 2).logPos() == position) {
                from--; // an empty transaction instead of a statement is sent again
            }
            expected.addAll(all.subList(from, all.size()));
            assertEquals(expected, rest.subList(1, rest.size()), "from " + position + ", after " + all.get(i));
        }
    }

    @Test
    void noFilteredEventIsSent() throws Exception {
        List<Got> got = read(BinlogDump.after(GtidSet.EMPTY, 7, new UUID(9, 9)));
        assertFalse(got.stream().anyMatch(one -> one.what().contains(":2")));
    }

    @Test
    void theJournalIsSentOnlyToReadersWithoutAFilter() throws Exception {
        dumper.put(task.change("d\0shop\0secret", "CREATE TABLE `secret` (salary int)"));
        task.transaction().map(1, "orders").rows(1, 10, true);
        dumper.put(task.batch());
        dumper.put(task.cut());
        dumper.put(task.change(
                "d\0shop\0large",
                "x".repeat(300) + new java.util.Random(1).ints(200_000).sum()));
        dumper.put(task.cut());
        dumper.run();
        for (BinlogDump dump : List.of(
                BinlogDump.after(GtidSet.EMPTY, 7, new UUID(9, 9)),
                BinlogDump.from("binlog.000001", 4, 7, new UUID(9, 9)))) {
            String whole = bytes("whole", dump);
            assertTrue(whole.contains("TSCH") && whole.contains("salary"));
            String filtered = bytes("reader", dump);
            assertTrue(filtered.contains("TCUT"));
            assertFalse(filtered.contains("TSCH") || filtered.contains("salary"));
        }
        List<Got> byPosition = read(BinlogDump.from("binlog.000001", 4, 7, new UUID(9, 9)));
        long end = dumper.files().durableEnd().offset();
        assertEquals(end, byPosition.get(byPosition.size() - 1).logPos());
    }

    /** All received bytes, each as a character. */
    private String bytes(String user, BinlogDump dump) throws Exception {
        StringBuilder text = new StringBuilder();
        Checksum checksum = new Checksum();
        try (MysqlConnection connection =
                        new MysqlClient(group).connect(as(user)).get(20, TimeUnit.SECONDS);
                BinlogStream stream = connection.await(connection.dump(dump.withoutWaiting()), LIMIT)) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (stream.isOpen()) {
                stream.poll(
                        (view, at, length) -> {
                            checksum.verify(view, at);
                            byte[] event = new byte[length];
                            view.get(at, event);
                            text.append(new String(event, StandardCharsets.ISO_8859_1));
                            return true;
                        },
                        1 << 20);
                assertTrue(System.nanoTime() < deadline, "no end");
            }
        }
        return text.toString();
    }
}
