package io.tributary.serve.find;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transaction n of the stream was committed n seconds after a fixed time; the TSO of a cut is ten times the number of transactions before it. */
class PositionSearchTest {
    private static final long START_MICROS = 1_700_000_000L * 1_000_000;

    @TempDir
    Path folder;

    private Dumper dumper;

    @BeforeEach
    void write() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(200_000));
        TaskStream task = new TaskStream(3, Optional.empty());
        while (dumper.files().list().size() < 4) {
            dumper.put(task.batch(50));
            dumper.put(task.cut());
            dumper.run();
        }
        dumper.put(task.batch(50));
        dumper.put(task.cut());
        dumper.run();
    }

    @AfterEach
    void close() {
        dumper.close();
    }

    private FoundPosition find(SearchGoal goal) throws Exception {
        try (PositionSearch search =
                new PositionSearch(dumper.files(), goal, dumper.files().durableEnd())) {
            Optional<FoundPosition> found = Optional.empty();
            for (int i = 0; i < 1000 && found.isEmpty(); i++) {
                found = search.step();
            }
            return found.orElseThrow();
        }
    }

    private long last() {
        return dumper.files().durableEnd().gno();
    }

    private static Gtid gtid(long gno) {
        return new Gtid(UUID.fromString(BinlogSettings.UUID), gno);
    }

    private ByteBuffer bytes(String name) throws Exception {
        return ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name)));
    }

    private void assertIs(long gno, FoundPosition found) throws Exception {
        ByteBuffer file = bytes(found.file());
        int at = (int) found.offset();
        assertEquals(EventType.GTID_LOG_EVENT, EventHeader.type(file, at));
        assertEquals(gno, GtidEvent.gno(file, at));
        assertEquals(Optional.of(gtid(gno)), found.next());
        assertEquals(START_MICROS + gno * 1_000_000, found.commitMicros());
        GtidSet before = gno == 1 ? GtidSet.EMPTY : GtidSet.parse(BinlogSettings.UUID + ":1-" + (gno - 1));
        assertEquals(before, found.before());
    }

    @Test
    void everyTransactionIsFoundByItsGtidAndByItsTime() throws Exception {
        for (long gno = 1; gno <= last(); gno += 7) {
            assertIs(gno, find(new SearchGoal.Transaction(gtid(gno))));
            assertIs(gno, find(new SearchGoal.Time(START_MICROS + gno * 1_000_000)));
            assertIs(gno, find(new SearchGoal.Time(START_MICROS + gno * 1_000_000 - 999_999)));
        }
        assertIs(last(), find(new SearchGoal.Transaction(gtid(last()))));
    }

    @Test
    void aTimeBeforeAllFindsTheFirstAndATimeAfterAllTheEnd() throws Exception {
        assertIs(1, find(new SearchGoal.Time(0)));
        FoundPosition end = find(new SearchGoal.Time(Long.MAX_VALUE));
        assertEquals(dumper.files().durableEnd().offset(), end.offset());
        assertEquals(dumper.files().durableEnd().file().name(), end.file());
        assertEquals(Optional.empty(), end.next());
        assertEquals(dumper.files().executed(), end.before());
    }

    @Test
    void aTsoIsFoundAfterTheLastCutUpToIt() throws Exception {
        long tso = 10 * 175; // cuts are after 50, 100, 150, ... transactions
        FoundPosition found = find(new SearchGoal.Tso(tso));
        assertEquals(1500, found.tso());
        assertEquals(GtidSet.parse(BinlogSettings.UUID + ":1-150"), found.before());
        assertEquals(1500, find(new SearchGoal.Tso(1500)).tso());
        assertEquals(1000, find(new SearchGoal.Tso(1499)).tso());
        assertEquals(10 * last(), find(new SearchGoal.Tso(Long.MAX_VALUE)).tso());
        assertThrows(TributaryException.class, () -> find(new SearchGoal.Tso(499)));
    }

    @Test
    void reportsWhatIsPurgedOrUnknown() throws Exception {
        BinlogFile second = dumper.files().list().get(1);
        long kept = second.previousGtids()
                        .last(new io.tributary.common.gtid.Sid(dumper.files().serverUuid()))
                + 1;
        assertFalse(find(new SearchGoal.Time(START_MICROS + kept * 1_000_000)).maybeEarlier());
        dumper.files().purgeTo(second.name());
        TributaryException purged =
                assertThrows(TributaryException.class, () -> find(new SearchGoal.Transaction(gtid(kept - 1))));
        assertTrue(purged.getMessage().contains("purged"), purged.getMessage());
        assertThrows(TributaryException.class, () -> find(new SearchGoal.Transaction(gtid(last() + 1))));
        assertTrue(find(new SearchGoal.Time(0)).maybeEarlier());
        assertFalse(
                find(new SearchGoal.Time(START_MICROS + (kept + 1) * 1_000_000)).maybeEarlier());
        assertIs(kept, find(new SearchGoal.Transaction(gtid(kept))));
    }
}
