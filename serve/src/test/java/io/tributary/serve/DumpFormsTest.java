package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.HeartbeatEvent;
import io.tributary.mysql.event.RotateEvent;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a dump on the wire, for each form of request. */
@Timeout(60)
class DumpFormsTest {
    private static final int NON_BLOCK = 1;
    private static final int HEARTBEAT_V2 = 2;
    private static final int SKIP_TAGGED = 4;

    @TempDir
    Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private ServedBinlog binlog;

    @BeforeEach
    void serve() throws Exception {
        binlog = new ServedBinlog(folder, ServedBinlog.DUMPS).fill(3).write(5);
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable thing : opened) {
            thing.close();
        }
        binlog.close();
    }

    private WireReader reader() throws Exception {
        WireReader reader = WireReader.of(binlog.port());
        opened.add(reader);
        return reader;
    }

    private byte[] set(String gtids) {
        return GtidSet.parse(gtids).encode();
    }

    private static List<Long> gnosToTheEnd(WireReader reader) throws Exception {
        List<Long> gnos = new ArrayList<>();
        for (WireReader.Packet packet = reader.next(); !packet.isEnd(); packet = reader.next()) {
            if (packet.type() == EventType.GTID_LOG_EVENT) {
                gnos.add(packet.gno());
            }
        }
        assertTrue(reader.isClosed());
        return gnos;
    }

    private List<Long> all(long first) {
        return LongStream.rangeClosed(first, binlog.task.gno()).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\0\0\0", "binlog.000001", "binlog.000001\0"})
    void anEmptyNameAndNamesWithZerosSelectTheFile(String name) throws Exception {
        assertEquals(all(1), gnosToTheEnd(reader().dump(NON_BLOCK, 7, name, 4)));
        assertEquals(all(1), gnosToTheEnd(reader().dumpGtid(NON_BLOCK, 7, name, new byte[0])));
    }

    @Test
    void aReaderWithoutAServerIdDoesNotWait() throws Exception {
        assertEquals(all(1), gnosToTheEnd(reader().dump(0, 0, "", 4)));
        assertEquals(all(3), gnosToTheEnd(reader().dumpGtid(0, 0, "", set(ServedBinlog.GTIDS + "1-2"))));
    }

    private static void assertArtificialRotate(WireReader.Packet packet, String file, long position) {
        ByteBuffer event = packet.bytes();
        assertEquals(EventType.ROTATE_EVENT, packet.type());
        assertEquals(0, EventHeader.timestamp(event, 0));
        assertEquals(0, EventHeader.logPos(event, 0));
        assertEquals(0x20, EventHeader.flags(event, 0));
        assertEquals(file, RotateEvent.fileName(event, 0, event.limit() - Checksum.LENGTH));
        assertEquals(position, RotateEvent.position(event, 0));
    }

    @Test
    void aDumpBeginsWithTheNameOfTheFileAndItsHead() throws Exception {
        WireReader reader = reader().dump(0, 7, "binlog.000002", 4);
        assertArtificialRotate(reader.next(), "binlog.000002", 4);
        WireReader.Packet format = reader.next();
        assertEquals(EventType.FORMAT_DESCRIPTION_EVENT, format.type());
        assertEquals(4 + format.bytes().limit(), EventHeader.logPos(format.bytes(), 0));
        assertTrue(new Checksum().fits(format.bytes(), 0));
        assertEquals(EventType.PREVIOUS_GTIDS_LOG_EVENT, reader.next().type());
    }

    @Test
    void aDumpFromTheMiddleBeginsWithAFormatDescriptionWithoutAPosition() throws Exception {
        ByteBuffer bytes =
                ByteBuffer.wrap(Files.readAllBytes(binlog.files().first().path()));
        int at = 4;
        while (EventHeader.type(bytes, at) != EventType.GTID_LOG_EVENT) {
            at = EventHeader.end(bytes, at);
        }
        WireReader reader = reader().dump(0, 7, "binlog.000001", at);
        assertArtificialRotate(reader.next(), "binlog.000001", at);
        WireReader.Packet format = reader.next();
        assertEquals(EventType.FORMAT_DESCRIPTION_EVENT, format.type());
        assertEquals(0, EventHeader.logPos(format.bytes(), 0));
        assertTrue(new Checksum().fits(format.bytes(), 0));
        assertEquals(1, reader.next().gno());
    }

    /** As from a MySQL server: only the first ROTATE has no checksum; later events are as in the file, whose description names CRC32. */
    @Test
    void aReaderThatRequestedNoChecksumsGetsADescriptionWithChecksums() throws Exception {
        WireReader reader = reader().query("SET @master_binlog_checksum = 'NONE', @source_binlog_checksum = 'NONE'")
                .dump(NON_BLOCK, 7, "", 4);
        ByteBuffer rotate = reader.next().bytes();
        assertEquals("binlog.000001", RotateEvent.fileName(rotate, 0, rotate.limit()));
        ByteBuffer format = reader.next().bytes();
        assertEquals(
                Checksum.CRC32, FormatDescriptionEvent.checksumAlgorithm(format, format.limit() - Checksum.LENGTH));
        int rotations = 0;
        for (WireReader.Packet packet = reader.next(); !packet.isEnd(); packet = reader.next()) {
            assertTrue(new Checksum().fits(packet.bytes(), 0), "checksum");
            rotations +=
                    packet.type() == EventType.ROTATE_EVENT && EventHeader.timestamp(packet.bytes(), 0) == 0 ? 1 : 0;
        }
        assertEquals(binlog.files().list().size() - 1, rotations);
    }

    @Test
    void aReaderThatSetsNoChecksumVariableIsRefused() throws Exception {
        WireReader reader = new WireReader(binlog.port()).dump(NON_BLOCK, 7, "", 4);
        opened.add(reader);
        WireReader.Packet refusal = reader.next();
        assertEquals(1236, refusal.errorNumber());
        assertTrue(refusal.error().contains("checksum"), refusal.error());
    }

    private int heartbeatType(int flags, String... statements) throws Exception {
        WireReader reader = reader();
        for (String statement : statements) {
            reader.query(statement);
        }
        reader.query("SET @source_heartbeat_period = 5000000")
                .dumpGtid(flags, 7, "", set(ServedBinlog.GTIDS + "1-" + binlog.task.gno()));
        WireReader.Packet packet = reader.next();
        while (!packet.isHeartbeat()) {
            packet = reader.next();
        }
        BinlogFile last = binlog.files().durableEnd().file();
        int end = packet.bytes().limit() - Checksum.LENGTH;
        assertEquals(last.name(), HeartbeatEvent.fileName(packet.bytes(), 0, end));
        assertEquals(last.end(), HeartbeatEvent.position(packet.bytes(), 0, end));
        assertTrue(reader.next().isHeartbeat(), "another one follows");
        return packet.type();
    }

    @Test
    void heartbeatsHaveTheVersionThatTheReaderSupports() throws Exception {
        assertEquals(EventType.HEARTBEAT_LOG_EVENT, heartbeatType(0));
        assertEquals(EventType.HEARTBEAT_LOG_EVENT_V2, heartbeatType(HEARTBEAT_V2));
        assertEquals(EventType.HEARTBEAT_LOG_EVENT_V2, heartbeatType(HEARTBEAT_V2 | SKIP_TAGGED));
        assertEquals(
                EventType.HEARTBEAT_LOG_EVENT,
                heartbeatType(HEARTBEAT_V2, "SET @mariadb_slave_capability = 4"),
                "for a MariaDB client that flag requests annotations");
    }

    @Test
    void skippedTransactionsCauseOneHeartbeatAlsoWithoutAPeriod() throws Exception {
        WireReader reader = reader().dumpGtid(NON_BLOCK, 7, "", set(ServedBinlog.GTIDS + "2-4"));
        assertEquals(1, reader.next(EventType.GTID_LOG_EVENT).gno());
        int heartbeats = 0;
        WireReader.Packet packet = reader.next();
        long position = 0;
        while (packet.type() != EventType.GTID_LOG_EVENT) {
            if (packet.isHeartbeat()) {
                heartbeats++;
                position = EventHeader.logPos(packet.bytes(), 0);
            }
            packet = reader.next();
        }
        assertEquals(1, heartbeats);
        assertEquals(5, packet.gno());
        assertEquals(
                EventHeader.logPos(packet.bytes(), 0) - packet.bytes().limit(), position, "where the dump continues");
    }

    @Test
    void sequenceIdsWrapAndEveryFormOfSetIsAccepted() throws Exception {
        String other = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:9,";
        String tagged =
                "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:blue:1-7:9," + "5e11fa47-71ca-11e1-9e33-c80aa9429562:a:3,";
        String has = ServedBinlog.GTIDS + "1-2:5:7-9";
        List<Long> expected = new ArrayList<>(List.of(3L, 4L, 6L));
        expected.addAll(all(10));
        assertTrue(binlog.task.gno() * 3 > 256, "enough packets for the ids to wrap");
        assertEquals(expected, gnosToTheEnd(reader().dumpGtid(NON_BLOCK, 7, "", set(has))));
        assertEquals(expected, gnosToTheEnd(reader().dumpGtid(NON_BLOCK, 7, "", set(other + has))));
        assertEquals(expected, gnosToTheEnd(reader().dumpGtid(NON_BLOCK, 7, "", set(tagged + has))));
        assertEquals(expected, gnosToTheEnd(reader().dumpGtid(NON_BLOCK | SKIP_TAGGED, 7, "", set(other + has))));
    }

    @Test
    void anInvalidSetEndsThatConnectionWithAnError() throws Exception {
        WireReader.Packet refusal = reader().dumpGtid(NON_BLOCK, 7, "", new byte[] {9, 0, 0, 0, 0, 0, 0, 0})
                .next();
        assertTrue(refusal.error().contains("GTID"), refusal.error());
        assertEquals(all(1), gnosToTheEnd(reader().dump(NON_BLOCK, 7, "", 4)));
    }

    private static void assertReplaced(WireReader older) throws Exception {
        WireReader.Packet packet = older.next();
        while (packet.kind() == 0) {
            packet = older.next();
        }
        assertEquals(1236, packet.errorNumber());
        assertTrue(packet.error().contains("server id"), packet.error());
        assertTrue(older.isClosed());
    }

    private WireReader waiting(long serverId, String... statements) throws Exception {
        WireReader reader = reader();
        for (String statement : statements) {
            reader.query(statement);
        }
        reader.dumpGtid(0, serverId, "", set(ServedBinlog.GTIDS + "1-2"));
        reader.untilGno(binlog.task.gno());
        return reader;
    }

    @Test
    void aReaderIsIdentifiedByReplicaUuidElseSlaveUuidElseServerId() throws Exception {
        WireReader one = waiting(7, "SET @slave_uuid = 'u1', @replica_uuid = 'u2'");
        WireReader two = waiting(7, "SET @slave_uuid = 'u1'");
        WireReader three = waiting(7);
        WireReader four = waiting(8);
        binlog.write(1);
        for (WireReader reader : List.of(one, two, three, four)) {
            reader.untilGno(binlog.task.gno());
        }
        waiting(70, "SET @replica_uuid = 'u2'");
        assertReplaced(one);
        waiting(71, "SET @slave_uuid = 'u1'");
        assertReplaced(two);
        waiting(7);
        assertReplaced(three);
        binlog.write(1);
        four.untilGno(binlog.task.gno());
    }
}
