package io.tributary.testkit.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.Xid;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.PreviousGtidsEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.XidEvent;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import io.tributary.mysql.event.xa.XaStatement;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The generated binlogs are well-formed, equal the recorded golden files, and contain the timestamps of the coordinator. */
class PolarDbxLogTest {
    private static final int STEPS = 20;
    /** Set to a folder to record the golden files there again. */
    private static final String RECORD = "tributary.golden.record";

    @TempDir
    private Path folder;

    private static PolarDbxLog newLog(PolarDbxGeneration generation) {
        return new PolarDbxLog(UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562"), 11, generation);
    }

    /** The log and its committed transactions. */
    private static List<PolarDbxCoordinator.Expected> write(PolarDbxLog log) {
        PolarDbxCoordinator coordinator = new PolarDbxCoordinator(7, List.of(log));
        log.between(1L << 62);
        coordinator.run(STEPS);
        coordinator.finish();
        return coordinator.expected();
    }

    @ParameterizedTest
    @EnumSource(PolarDbxGeneration.class)
    void theGeneratorWritesTheGoldenFiles(PolarDbxGeneration generation) throws IOException {
        PolarDbxLog log = newLog(generation);
        write(log);
        String name = generation.name().toLowerCase(Locale.ROOT) + ".binlog";
        if (System.getProperty(RECORD) != null) {
            Files.write(Path.of(System.getProperty(RECORD), name), log.bytes());
        }
        try (InputStream golden = PolarDbxLogTest.class.getResourceAsStream("/polardbx/" + name)) {
            assertArrayEquals(golden.readAllBytes(), log.bytes());
        }
    }

    @ParameterizedTest
    @EnumSource(PolarDbxGeneration.class)
    void everyEventIsWellFormedAndHasItsEndPosition(PolarDbxGeneration generation) {
        PolarDbxLog log = newLog(generation);
        write(log);
        ByteBuffer file = ByteBuffer.wrap(log.bytes());
        Checksum checksum = new Checksum();
        TreeSet<Integer> types = new TreeSet<>();
        for (int at = 4; at < file.limit(); at = EventHeader.end(file, at)) {
            EventHeader.check(file, at);
            checksum.verify(file, at);
            check(file, at, EventHeader.end(file, at) - Checksum.LENGTH);
            assertEquals(EventHeader.end(file, at), EventHeader.logPos(file, at));
            types.add(EventHeader.type(file, at));
        }
        assertEquals(
                generation == PolarDbxGeneration.SEQUENCE_EVENTS, types.contains(EventType.SEQUENCE_EVENT), "" + types);
        assertEquals(generation == PolarDbxGeneration.GCN_EVENTS, types.contains(EventType.GCN_LOG_EVENT), "" + types);
        assertTrue(types.contains(EventType.CONSENSUS_LOG_EVENT), "" + types);
    }

    private static void check(ByteBuffer file, int at, int end) {
        switch (EventHeader.type(file, at)) {
            case EventType.FORMAT_DESCRIPTION_EVENT -> FormatDescriptionEvent.check(file, at, end);
            case EventType.PREVIOUS_GTIDS_LOG_EVENT -> PreviousGtidsEvent.check(file, at, end);
            case EventType.GTID_LOG_EVENT -> GtidEvent.check(file, at, end);
            case EventType.QUERY_EVENT -> QueryEvent.check(file, at, end);
            case EventType.TABLE_MAP_EVENT -> TableMapEvent.check(file, at, end);
            case EventType.WRITE_ROWS_EVENT, EventType.UPDATE_ROWS_EVENT -> RowsEvent.check(file, at, end);
            case EventType.XID_EVENT -> XidEvent.check(file, at, end);
            case EventType.XA_PREPARE_LOG_EVENT -> XaPrepareEvent.check(file, at, end);
            case EventType.SEQUENCE_EVENT -> SequenceEvent.check(file, at, end);
            case EventType.GCN_LOG_EVENT -> GcnEvent.check(file, at, end);
            default ->
                assertEquals(EventCategory.IGNORED, EventType.category(EventHeader.type(file, at)), "type at " + at);
        }
    }

    @ParameterizedTest
    @EnumSource(PolarDbxGeneration.class)
    void timestampsPrecedeTheirCommits(PolarDbxGeneration generation) {
        PolarDbxLog log = newLog(generation);
        List<Long> wanted = write(log).stream()
                .map(PolarDbxCoordinator.Expected::tso)
                .filter(tso -> tso != PolarDbxLog.NONE)
                .sorted()
                .toList();
        assertEquals(wanted, commitTimestamps(log).stream().sorted().toList());
    }

    /** Each timestamp at a place where a reader of this generation reads the timestamp of a commit. */
    private static List<Long> commitTimestamps(PolarDbxLog log) {
        ByteBuffer file = ByteBuffer.wrap(log.bytes());
        List<Long> found = new ArrayList<>();
        for (int at = 4; at < file.limit(); at = EventHeader.end(file, at)) {
            switch (EventHeader.type(file, at)) {
                case EventType.SEQUENCE_EVENT ->
                    Optional.of(at)
                            .filter(one -> SequenceEvent.isCommit(file, one))
                            .ifPresent(one -> found.add(SequenceEvent.value(file, one)));
                case EventType.GCN_LOG_EVENT ->
                    Optional.of(at)
                            .filter(one -> GcnEvent.isCommit(file, one))
                            .ifPresent(one -> found.add(GcnEvent.value(file, one)));
                case EventType.QUERY_EVENT ->
                    Optional.of(QueryEvent.commitGcn(file, at))
                            .filter(tso -> tso != 0)
                            .ifPresent(found::add);
                default -> {}
            }
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource(PolarDbxGeneration.class)
    void everyPreparedBranchIsDecidedOnce(PolarDbxGeneration generation) {
        PolarDbxLog log = newLog(generation);
        write(log);
        ByteBuffer file = ByteBuffer.wrap(log.bytes());
        Map<Xid, Boolean> isPrepared = new HashMap<>();
        for (int at = 4; at < file.limit(); at = EventHeader.end(file, at)) {
            int end = EventHeader.end(file, at) - Checksum.LENGTH;
            if (EventHeader.type(file, at) != EventType.QUERY_EVENT || !XaStatement.isOne(file, at, end)) {
                continue;
            }
            XaStatement statement = XaStatement.parse(file, at, end);
            assertEquals(statement.xid(), DrdsXid.of(statement.xid()).xid());
            switch (statement.verb()) {
                case START -> assertEquals(null, isPrepared.put(statement.xid(), true));
                case COMMIT, ROLLBACK -> assertTrue(isPrepared.put(statement.xid(), false));
                default -> assertTrue(QueryEvent.prepareGcn(file, at) >= 0);
            }
        }
        assertFalse(isPrepared.isEmpty());
    }

    @ParameterizedTest
    @EnumSource(PolarDbxGeneration.class)
    void aPlainReaderFindsItsRows(PolarDbxGeneration generation) throws IOException {
        PolarDbxLog log = newLog(generation);
        write(log);
        Path file = Files.write(folder.resolve("binlog.000001"), log.bytes());
        List<BinlogTransaction> all = BinlogReader.ofFiles(List.of(file)).all();
        assertEquals(log.newestNumber(), all.size());
        long rows = all.stream().mapToLong(one -> one.changes().size()).sum();
        assertTrue(rows > 5, "" + rows);
    }
}
