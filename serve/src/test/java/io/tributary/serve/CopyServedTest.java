package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventType;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower serves readers that have read more from another Dumper than it has copied: they are not refused. */
@Timeout(60)
class CopyServedTest {
    private static final int MILLIS_OF_SILENCE = 200;
    private static final int WAITING = 20_000;

    @TempDir
    Path folder;

    private ServedBinlog copy;
    private WireReader reader;

    @BeforeEach
    void serve() throws Exception {
        copy = ServedBinlog.copy(folder).write(3);
        reader = WireReader.of(copy.port());
    }

    @AfterEach
    void end() throws Exception {
        reader.close();
        copy.close();
    }

    private static byte[] has(int last) {
        return GtidSet.parse(ServedBinlog.GTIDS + "1-" + last).encode();
    }

    private void assertWaits() throws Exception {
        reader.timeoutMillis(MILLIS_OF_SILENCE);
        assertThrows(SocketTimeoutException.class, reader::next);
        reader.timeoutMillis(WAITING);
    }

    @Test
    void aReaderThatHasMoreByGtidWaitsUntilItIsCopied() throws Exception {
        reader.dumpGtid(2, 7, "", has(5));
        assertWaits();
        copy.write(1);
        assertWaits();
        copy.write(2);
        assertEquals(6, reader.next(EventType.GTID_LOG_EVENT).gno());
    }

    @Test
    void aReaderThatHasMoreByPositionWaitsUntilItIsCopied() throws Exception {
        BinlogFile last = copy.files().durableEnd().file();
        long end = last.end();
        reader.dump(2, 7, last.name(), end + 1);
        assertWaits();
        copy.write(1);
        assertEquals(1236, untilError()); // now the position exists, and no event begins there
    }

    @Test
    void aReaderOfALaterFileWaitsForIt() throws Exception {
        reader.dump(2, 7, "binlog.000002", 4);
        assertWaits();
        copy.fill(2).write(1);
        reader.untilGno(copy.task.gno());
    }

    @Test
    void aFileOfAnotherNameIsRefusedAtOnce() throws Exception {
        reader.dump(2, 7, "other.000002", 4);
        assertEquals(1236, reader.next().errorNumber());
    }

    @Test
    void afterATimeoutItsConnectionIsClosedWithoutAnErrorSoThatItReconnects() throws Exception {
        reader.dumpGtid(2, 7, "", has(5));
        assertTrue(reader.isClosed());
    }

    /** Skips the events before the error. */
    private int untilError() throws Exception {
        WireReader.Packet packet = reader.next();
        while (packet.kind() == 0) {
            packet = reader.next();
        }
        return packet.errorNumber();
    }
}
