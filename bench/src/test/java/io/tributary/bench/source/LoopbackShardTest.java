package io.tributary.bench.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopbackShardTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LAPS = 3;

    private final CannedBinlog canned = CannedBinlogs.of(1, 1).get(0);
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private MysqlServer server;
    private MysqlConnection control;

    @BeforeEach
    void start() {
        server = LoopbackSource.serve(canned, LAPS, loop);
        control = connect();
    }

    @AfterEach
    void stop() {
        server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void sendsAllLapsWithRoundsBetweenThemWithConsecutiveNumbers() {
        try (BinlogStream stream = dump(GtidSet.EMPTY)) {
            Seen seen = new Seen(0);
            poll(stream, seen, 100);
            round(1);
            poll(stream, seen, 2000);
            round(2);
            long all = canned.transactions(LAPS);
            poll(stream, seen, all + 2);
            round(3);
            poll(stream, seen, all + 3);
            assertEquals(3, seen.rounds);
        }
    }

    @Test
    void continuesAfterTheTransactionsThatAReaderHas() {
        Seen first = new Seen(0);
        try (BinlogStream stream = dump(GtidSet.EMPTY)) {
            poll(stream, first, 100);
            round(1);
            poll(stream, first, 1000);
        }
        GtidSet known = GtidSet.parse(canned.uuid() + ":1-" + first.last);
        try (BinlogStream stream = dump(known)) {
            poll(stream, new Seen(first.last), canned.transactions(LAPS) + 1);
        }
    }

    @Test
    void anUpdateThatChangesNothingIsNotLogged() {
        assertEquals(
                0,
                control.query("UPDATE tributary.heartbeat SET epoch = epoch WHERE id = 0", LIMIT)
                        .affectedRows());
        assertEquals(1, takeOver(7));
        assertEquals(0, takeOver(7));
        assertEquals(canned.transactions(LAPS) + 1, executed());
    }

    private long executed() {
        String set = control.query("SELECT @@GLOBAL.gtid_executed, @@GLOBAL.gtid_purged", LIMIT)
                .rows()
                .get(0)
                .text(0);
        return GtidSet.parse(set).last(new Sid(canned.uuid()));
    }

    private long takeOver(long epoch) {
        String update =
                "UPDATE tributary.heartbeat SET epoch = " + epoch + ", clock = 5 WHERE id = 1 AND epoch < " + epoch;
        return control.query(update, LIMIT).affectedRows();
    }

    private void round(long number) {
        String update = "UPDATE tributary.heartbeat SET round = " + number + ", clock = " + number
                + " WHERE id = 1 AND epoch = 0 AND round < " + number;
        assertEquals(1, control.query(update, LIMIT).affectedRows());
    }

    private MysqlConnection connect() {
        MysqlUser user = MysqlUser.tributary();
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.address().getPort(), user.name(), user.password());
        return new MysqlClient(loop).connect(endpoint).join();
    }

    private BinlogStream dump(GtidSet known) {
        BinlogDump dump = BinlogDump.after(known, 4711, new UUID(1, 2)).withBounds(64 << 10, 1 << 20);
        return connect().dump(dump).join();
    }

    private static void poll(BinlogStream stream, Seen seen, long last) {
        long deadline = Clock.SYSTEM.nanoTime() + LIMIT.toNanos();
        while (seen.last < last) {
            if (stream.poll(seen::event, 64 << 10) == 0) {
                assertTrue(stream.isOpen(), () -> stream.end().toString());
                assertTrue(
                        Clock.SYSTEM.nanoTime() < deadline,
                        () -> "expected transaction " + last + ", found " + seen.last);
                LockSupport.parkNanos(50_000);
            }
        }
    }

    /** Checks each event's checksum, and that the numbers are consecutive. */
    private static final class Seen {
        private final Checksum checksum = new Checksum();
        private long last;
        private int rounds;

        Seen(long last) {
            this.last = last;
        }

        boolean event(ByteBuffer view, int at, int length) {
            checksum.verify(view, at);
            int end = at + length - Checksum.LENGTH;
            switch (EventHeader.type(view, at)) {
                case EventType.GTID_LOG_EVENT -> {
                    GtidEvent.check(view, at, end);
                    assertEquals(++last, GtidEvent.gno(view, at));
                    assertEquals(last, GtidEvent.sequenceNumber(view, at, end));
                    assertTrue(GtidEvent.lastCommitted(view, at, end) < last);
                }
                case EventType.TABLE_MAP_EVENT -> {
                    TableMapEvent.check(view, at, end);
                    rounds += TableMapEvent.schema(view, at).equals("tributary") ? 1 : 0;
                }
                default -> {}
            }
            return true;
        }
    }
}
