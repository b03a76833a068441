package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers that request files that were purged here and that an archive still has. */
@Timeout(60)
class ArchivedDumpTest {
    private static final int NON_BLOCK = 1;

    @TempDir
    private Path folder;

    private KeptFiles kept;
    private ServedBinlog binlog;
    private byte[] second;

    /** Serves five files, of which three are purged. */
    @BeforeEach
    void serve() throws Exception {
        kept = new KeptFiles(folder.resolve("kept"));
        binlog = new ServedBinlog(folder, 20_000, ServedBinlog.DUMPS, kept).fill(5);
        for (BinlogFile file : binlog.files().list().subList(0, 3)) {
            kept.keep(file);
        }
        second = Files.readAllBytes(binlog.files().list().get(1).path());
        binlog.files().purgeTo("binlog.000004");
    }

    @AfterEach
    void end() {
        binlog.close();
    }

    private WireReader reader() throws Exception {
        return WireReader.of(binlog.port());
    }

    private void fetchAll() {
        for (int i = 1; i <= 3; i++) {
            kept.fetch("binlog.00000" + i);
        }
    }

    private List<Long> gnos(long from) {
        return LongStream.rangeClosed(from, binlog.task.gno()).boxed().toList();
    }

    private static List<Long> gnosToTheEnd(WireReader reader) throws Exception {
        List<Long> gnos = new ArrayList<>();
        for (WireReader.Packet packet = reader.next(); !packet.isEnd(); packet = reader.next()) {
            if (packet.type() == EventType.GTID_LOG_EVENT) {
                gnos.add(packet.gno());
            }
        }
        return gnos;
    }

    @Test
    void purgedFilesAreReadFromTheArchiveAndTheOthersFromHere() throws Exception {
        fetchAll();
        try (WireReader byPosition = reader().dump(NON_BLOCK, 7, "binlog.000001", 4)) {
            assertEquals(gnos(1), gnosToTheEnd(byPosition));
        }
        byte[] has = GtidSet.parse(ServedBinlog.GTIDS + "1-3").encode();
        try (WireReader byGtid = reader().dumpGtid(NON_BLOCK, 8, "", has)) {
            assertEquals(gnos(4), gnosToTheEnd(byGtid));
        }
        assertEquals(List.of(), kept.open());
    }

    @Test
    void theBytesOfAnArchivedFileAreSentUnchanged() throws Exception {
        fetchAll();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (WireReader reader = reader().dump(NON_BLOCK, 7, "binlog.000002", 4)) {
            boolean inSecond = false;
            for (WireReader.Packet packet = reader.next(); !packet.isEnd(); packet = reader.next()) {
                var event = packet.bytes();
                boolean isArtificial = EventHeader.timestamp(event, 0) == 0;
                if (packet.type() == EventType.ROTATE_EVENT && isArtificial) {
                    inSecond = RotateEvent.fileName(event, 0, event.limit() - 4).equals("binlog.000002");
                } else if (inSecond) {
                    byte[] content = new byte[event.limit()];
                    event.get(0, content);
                    bytes.writeBytes(content);
                }
            }
        }
        assertArrayEquals(Arrays.copyOfRange(second, 4, second.length), bytes.toByteArray());
    }

    @Test
    void aReaderGetsHeartbeatsUntilItsFileIsFetchedAndHoldsOneFileAtATime() throws Exception {
        try (WireReader reader =
                reader().query("SET @source_heartbeat_period = 5000000").dump(NON_BLOCK, 7, "binlog.000002", 4)) {
            assertEquals(EventType.ROTATE_EVENT, reader.next().type());
            assertTrue(reader.next().isHeartbeat());
            assertTrue(reader.next().isHeartbeat());
            kept.fetch("binlog.000002");
            long last = lastOfThird();
            WireReader.Packet packet = reader.next();
            int rotations = 0;
            while (rotations == 0) {
                boolean isArtificial = EventHeader.timestamp(packet.bytes(), 0) == 0;
                rotations += packet.type() == EventType.ROTATE_EVENT && isArtificial ? 1 : 0;
                packet = reader.next();
            }
            assertTrue(packet.isHeartbeat());
            assertEquals(List.of("binlog.000003"), kept.open());
            kept.fetch("binlog.000003");
            reader.untilGno(last);
            reader.untilGno(binlog.task.gno());
        }
    }

    private long lastOfThird() {
        return binlog.files()
                .first()
                .previousGtids()
                .last(new io.tributary.common.gtid.Sid(binlog.files().serverUuid()));
    }

    @Test
    void listsExactlyTheAvailableFiles() {
        ReadableFiles served = new ReadableFiles(binlog.files(), kept);
        assertEquals(5, served.list().size());
        assertTrue(served.purged().isEmpty());
        assertEquals("binlog.000001", served.first().name());
        assertEquals(
                "binlog.000003",
                served.next(served.find("binlog.000002").orElseThrow())
                        .orElseThrow()
                        .name());
        assertEquals(
                "binlog.000004",
                served.next(served.find("binlog.000003").orElseThrow())
                        .orElseThrow()
                        .name());
        binlog.files().purgeTo("binlog.000005");
        assertEquals(1, served.list().size(), "the fourth file is missing between them");
        assertEquals(binlog.files().purged(), served.purged());
    }

    @Test
    void aPermanentFailureToFetchEndsTheDumpAndATemporaryOneOnlyTheConnection() throws Exception {
        try (WireReader reader = reader().dump(0, 7, "binlog.000001", 4)) {
            assertEquals(EventType.ROTATE_EVENT, reader.next().type());
            kept.fail(ErrorCode.BACKUP_CORRUPT);
            assertEquals(1236, reader.next().errorNumber());
        }
        kept.fail(ErrorCode.BACKUP_FAILED);
        try (WireReader reader = reader().dump(0, 7, "binlog.000001", 4)) {
            assertEquals(EventType.ROTATE_EVENT, reader.next().type());
            assertTrue(reader.isClosed());
        }
        assertEquals(List.of(), kept.open());
    }

    @Test
    void anUnknownFileIsRefusedByName() throws Exception {
        try (WireReader reader = reader().dump(0, 7, "binlog.000009", 4)) {
            assertTrue(reader.next().error().contains("binlog.000009"));
        }
    }

    /** The file was purged here and is not in the archive: to continue with the file after it would skip transactions. */
    @Test
    void aFileThatIsInNeitherIsNotSkipped() throws Exception {
        ReadableFiles served = new ReadableFiles(binlog.files(), kept);
        BinlogFile third = served.find("binlog.000003").orElseThrow();
        BinlogFile fourth = served.next(third).orElseThrow();
        assertEquals("binlog.000004", fourth.name());
        Path copy = Files.copy(fourth.path(), folder.resolve("copy"));
        binlog.files().purgeTo("binlog.000005");
        assertThrows(TributaryException.class, () -> served.next(third));
        assertEquals("binlog.000005", served.first().name());
        Files.copy(copy, fourth.path());
        kept.keep(fourth);
        assertEquals("binlog.000004", served.next(third).orElseThrow().name());
        assertEquals("binlog.000001", served.first().name());
    }

    @Test
    void aRefusedPurgeReportsWhetherTheArchiveLacksTheFile() throws Exception {
        BinlogFile fourth = binlog.files().first();
        binlog.files().hold(fourth);
        try (MysqlConnection connection = new MysqlClient(binlog.group())
                .connect(Endpoint.of("127.0.0.1", binlog.port(), "reader", "secret"))
                .get(20, TimeUnit.SECONDS)) {
            assertTrue(refusal(connection).contains("binlog.000004 is not backed up yet; purged nothing"));
            kept.keep(fourth);
            assertTrue(refusal(connection).contains("binlog.000004 is being read; purged nothing"));
        }
        binlog.files().release(fourth);
    }

    private static String refusal(MysqlConnection connection) {
        MysqlServerError error = assertThrows(
                MysqlServerError.class,
                () -> connection.query("PURGE BINARY LOGS TO 'binlog.000005'", Duration.ofSeconds(20)));
        assertEquals(1378, error.errorCode());
        return error.serverMessage();
    }
}
