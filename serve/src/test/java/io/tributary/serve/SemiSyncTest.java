package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.serve.dump.DumpConfig;
import io.tributary.testkit.alert.AlertCheck;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Semi-sync readers: which events they must acknowledge, and which readers wait for that. */
@Timeout(60)
class SemiSyncTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private ServedBinlog binlog;

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable thing : opened) {
            thing.close();
        }
        binlog.close();
    }

    private void serve(int waitFor, Duration timeout) throws Exception {
        binlog = new ServedBinlog(folder, new DumpConfig(waitFor, timeout, LONG)).write(3);
    }

    private WireReader reader() throws Exception {
        WireReader reader = WireReader.of(binlog.port());
        opened.add(reader);
        return reader;
    }

    private WireReader semiSync(long serverId) throws Exception {
        return reader().semiSync().dumpGtid(2, serverId, "", new byte[0]);
    }

    private WireReader plain(long serverId) throws Exception {
        return reader().dumpGtid(2, serverId, "", new byte[0]);
    }

    /** Reads up to the event that must be acknowledged: the last one available. */
    private static void untilAsked(WireReader reader) throws Exception {
        while (!reader.next().acknowledged()) {}
    }

    private void acknowledge(WireReader reader) throws Exception {
        BinlogFile last = binlog.files().durableEnd().file();
        reader.acknowledge(last.name(), last.end());
    }

    private static void assertReceivesNothing(WireReader reader) throws Exception {
        reader.timeoutMillis(100);
        assertThrows(SocketTimeoutException.class, reader::next);
        reader.timeoutMillis(20_000);
    }

    private QueryResult ask(String sql) throws Exception {
        try (MysqlConnection connection = new MysqlClient(binlog.group())
                .connect(Endpoint.of("127.0.0.1", binlog.port(), "reader", "secret"))
                .get(20, TimeUnit.SECONDS)) {
            return connection.query(sql, Duration.ofSeconds(20));
        }
    }

    private String executed() throws Exception {
        return ask("SELECT @@global.gtid_executed").rows().get(0).text(0);
    }

    /** End of the list of events. */
    private long listedTo() throws Exception {
        List<QueryResult.Row> events = ask("SHOW BINLOG EVENTS").rows();
        return Long.parseLong(events.get(events.size() - 1).text(4));
    }

    @Test
    void heldBackTransactionsAreNeitherListedNorFound() throws Exception {
        serve(1, LONG);
        WireReader reader = semiSync(7);
        untilAsked(reader);
        acknowledge(reader);
        long before = binlog.files().durableEnd().offset();
        binlog.write(1);
        untilAsked(reader);
        String gtid = binlog.files().serverUuid() + ":" + binlog.task.gno();
        assertEquals(before, listedTo());
        assertEquals(
                1220,
                assertThrows(
                                MysqlServerError.class,
                                () -> ask("SHOW BINLOG EVENTS FROM "
                                        + binlog.files().durableEnd().offset()))
                        .errorCode());
        assertThrows(MysqlServerError.class, () -> ask("SHOW TRIBUTARY POSITION FOR GTID '" + gtid + "'"));
        acknowledge(reader);
        while (!executed().endsWith("-" + binlog.task.gno())) {
            Thread.onSpinWait();
        }
        assertEquals(binlog.files().durableEnd().offset(), listedTo());
        assertEquals(
                Long.toString(before),
                ask("SHOW TRIBUTARY POSITION FOR GTID '" + gtid + "'").text(0, "Position"));
    }

    @Test
    void theLastAvailableEventMustBeAcknowledgedAndIdsBeginAgainAfterIt() throws Exception {
        serve(0, LONG);
        WireReader reader = semiSync(7);
        WireReader.Packet packet = reader.next();
        while (!packet.acknowledged()) {
            packet = reader.next();
        }
        assertEquals(EventType.IGNORABLE_LOG_EVENT, packet.type());
        assertEquals(binlog.files().durableEnd().offset(), EventHeader.logPos(packet.bytes(), 0));
        acknowledge(reader);
        for (int i = 0; i < 5; i++) {
            binlog.write(2);
            untilAsked(reader);
            acknowledge(reader);
        }
        binlog.write(1);
        reader.untilGno(binlog.task.gno());
    }

    @Test
    void acknowledgementsMayBeLateOrMissingWhenNobodyWaitsForThem() throws Exception {
        serve(0, LONG);
        WireReader lazy = reader().semiSync();
        lazy.dumpGtid(2, 7, "", new byte[0]);
        WireReader other = plain(8);
        for (int i = 0; i < 3; i++) {
            binlog.write(1);
            other.untilGno(binlog.task.gno());
        }
        untilAsked(lazy);
    }

    @Test
    void othersSeeATransactionOnceEnoughReadersHaveAcknowledgedIt() throws Exception {
        serve(2, LONG);
        WireReader one = semiSync(7);
        WireReader two = semiSync(8);
        WireReader other = plain(9);
        untilAsked(one);
        untilAsked(two);
        acknowledge(one);
        acknowledge(two);
        other.untilGno(3);
        other.next(EventType.IGNORABLE_LOG_EVENT);
        binlog.write(1);
        untilAsked(one);
        untilAsked(two);
        assertReceivesNothing(other);
        acknowledge(one);
        assertReceivesNothing(other);
        assertEquals(ServedBinlog.GTIDS + "1-3", executed());
        acknowledge(two);
        other.untilGno(4);
        assertEquals(ServedBinlog.GTIDS + "1-4", executed());
    }

    @Test
    void aRotationIsHeldBackToo() throws Exception {
        serve(1, LONG);
        WireReader one = semiSync(7);
        WireReader other = plain(9);
        untilAsked(one);
        acknowledge(one);
        other.untilGno(3);
        other.next(EventType.IGNORABLE_LOG_EVENT);
        binlog.fill(3).write(1);
        assertReceivesNothing(other);
        BinlogFile last = binlog.files().durableEnd().file();
        WireReader.Packet packet = one.next();
        while (!(packet.acknowledged() && packet.type() == EventType.IGNORABLE_LOG_EVENT)
                || EventHeader.logPos(packet.bytes(), 0) != last.end()) {
            packet = one.next();
        }
        acknowledge(one);
        other.untilGno(binlog.task.gno());
    }

    @Test
    void aReaderThatReconnectsWithUncommittedTransactionsIsAcceptedAndCounts() throws Exception {
        serve(1, LONG);
        WireReader one = semiSync(7);
        untilAsked(one);
        acknowledge(one);
        binlog.write(2);
        untilAsked(one);
        one.close();
        WireReader other = plain(9);
        other.untilGno(3);
        other.next(EventType.IGNORABLE_LOG_EVENT);
        assertReceivesNothing(other);
        byte[] all = GtidSet.parse(ServedBinlog.GTIDS + "1-5").encode();
        reader().semiSync().dumpGtid(2, 7, "", all);
        other.untilGno(5);
    }

    @Test
    void afterATimeoutOthersContinueUntilEnoughHaveCaughtUp() throws Exception {
        serve(1, Duration.ofMillis(200));
        WireReader other = plain(9);
        other.untilGno(3);
        binlog.write(1);
        other.untilGno(4); // nobody acknowledges: it is released by the timeout
        assertEquals(1, binlog.metric("tributary_serve_semi_sync_timeouts"));
        binlog.write(1);
        other.untilGno(5);
        assertEquals(1, binlog.metric("tributary_serve_semi_sync_timeouts"), "it does not wait for each again");
        WireReader one = semiSync(7);
        untilAsked(one);
        acknowledge(one);
        awaitReaders(1);
        AlertCheck alert = new AlertCheck(folder.resolve("alert"))
                .shows(binlog.metrics.scrape(), Duration.ofMinutes(15))
                .fault();
        binlog.write(1);
        untilAsked(one);
        other.untilGno(6);
        assertEquals(2, binlog.metric("tributary_serve_semi_sync_timeouts"), "it had waited again");
        alert.shows(binlog.metrics.scrape(), Duration.ofMinutes(5)).assertFires("TributarySemiSyncTimeout");
        assertFalse(executed().endsWith("-5"));
    }

    private void awaitReaders(int count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (binlog.metric("tributary_serve_semi_sync_readers") < count) {
            assertTrue(System.nanoTime() < deadline, "timed out waiting for semi-sync readers");
            Thread.onSpinWait();
        }
    }

    @Test
    void aMalformedAcknowledgementEndsThatConnectionOnly() throws Exception {
        serve(1, LONG);
        WireReader one = semiSync(7);
        untilAsked(one);
        one.acknowledge("x".repeat(600), 4);
        assertTrue(one.isClosed());
        WireReader two = semiSync(8);
        untilAsked(two);
        acknowledge(two);
    }
}
