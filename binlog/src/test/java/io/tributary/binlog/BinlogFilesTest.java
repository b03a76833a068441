package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinlogFilesTest {
    @TempDir
    Path folder;

    private Dumper dumper;
    private BinlogFiles files;

    @BeforeEach
    void write() throws Exception {
        dumper = Dumper.ofFiveFiles(folder, Duration.ZERO);
        files = dumper.files();
    }

    @AfterEach
    void close() {
        dumper.close();
    }

    private static GtidSet own(String intervals) {
        return GtidSet.parse(BinlogSettings.UUID + ":" + intervals);
    }

    private String located(GtidSet has) {
        return files.locate(has).name();
    }

    @Test
    void locatesTheNewestFileBeforeWhichAReaderMissesNothing() {
        GtidSet foreign = GtidSet.parse("99999999-2222-3333-4444-555555555555:1-77");
        assertEquals("binlog.000001", located(GtidSet.EMPTY));
        assertEquals("binlog.000001", located(foreign));
        assertEquals("binlog.000001", located(own("1-99")));
        assertEquals("binlog.000002", located(own("1-100")));
        assertEquals("binlog.000002", located(own("1-150").union(foreign)));
        assertEquals("binlog.000002", located(own("1-150:170-400")));
        assertEquals("binlog.000005", located(own("1-400")));
    }

    @Test
    void theIndexOfAFinishedFileIsReadOnceForItsFirstCommit() throws Exception {
        BinlogFile second = files.list().get(1);
        long first = second.firstMicros();
        assertEquals(SparseIndex.of(second).get(0).commitMicros(), first);
        assertTrue(first > 0);
        Files.delete(second.indexPath());
        assertEquals(first, second.firstMicros());
        assertFalse(Files.exists(second.indexPath()), "the index was not read and rebuilt again");
    }

    @Test
    void namesTheGtidsThatAReaderMissesAfterAPurge() {
        files.purgeTo("binlog.000003");
        assertEquals(own("1-200"), files.purged());
        assertEquals(own("1-400"), files.executed());
        assertEquals("binlog.000003", files.first().name());
        assertEquals("binlog.000003", located(own("1-200")));
        TributaryException refused = assertThrows(TributaryException.class, () -> files.locate(own("1-149")));
        assertEquals(ErrorCode.READER_REFUSED, refused.code());
        assertTrue(refused.getMessage().contains(own("150-200").line()), refused.getMessage());
    }

    @Test
    void refusesAReaderThatIsAheadOfTheServer() {
        TributaryException refused = assertThrows(TributaryException.class, () -> files.locate(own("1-401")));
        assertEquals(ErrorCode.READER_REFUSED, refused.code());
        assertTrue(refused.getMessage().contains(own("401").line()), refused.getMessage());
    }

    @Test
    void aPurgeDoesNotDisturbReadersAndSurvivesARestart() throws Exception {
        BinlogFile first = files.first();
        try (FileChannel channel = first.open()) {
            files.purgeTo("binlog.000002");
            assertFalse(Files.exists(first.path()));
            assertEquals(4, channel.read(ByteBuffer.allocate(4), 0));
            assertEquals("binlog.000002", files.next(first).orElseThrow().name());
        }
        assertEquals(Optional.empty(), files.find("binlog.000001"));
        assertEquals(
                ErrorCode.READER_REFUSED,
                assertThrows(TributaryException.class, () -> files.purgeTo("binlog.000001"))
                        .code());
        dumper.close();
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(1024));
        assertEquals(4, dumper.files().list().size());
        assertEquals(own("1-100"), dumper.files().purged());
    }

    @Test
    void walksFromFileToFileUpToTheDurableEnd() {
        BinlogFile file = files.first();
        for (int i = 2; i <= 5; i++) {
            assertTrue(file.isFinished());
            file = files.next(file).orElseThrow();
            assertEquals(i, file.number());
        }
        assertFalse(file.isFinished());
        assertEquals(file, files.durableEnd().file());
        assertEquals(file.end(), files.durableEnd().offset());
        assertEquals(Optional.empty(), files.next(file));
    }
}
