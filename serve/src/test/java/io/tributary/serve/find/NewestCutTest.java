package io.tributary.serve.find;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewestCutTest {
    @TempDir
    Path folder;

    private TaskStream task = new TaskStream(5, Optional.empty());
    private final NewestCut newest = new NewestCut();
    private Dumper dumper;

    @BeforeEach
    void start() {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(20_000_000));
    }

    @AfterEach
    void close() {
        dumper.close();
    }

    private BinlogPosition write(int transactions) throws Exception {
        dumper.put(task.batch(transactions));
        dumper.put(task.cut());
        dumper.run();
        return dumper.files().durableEnd();
    }

    private BinlogPosition writeLarge() throws Exception {
        dumper.put(task.large(100, 100_000, 1 << 20));
        return write(1);
    }

    private static int steps(NewestCut newest, BinlogPosition end, List<Cut> found) throws Exception {
        for (int i = 1; i < 1000; i++) {
            Optional<Cut> cut = newest.step(end);
            if (cut.isPresent()) {
                found.add(cut.get());
                return i;
            }
        }
        throw new AssertionError("found no cut");
    }

    private static Cut find(NewestCut newest, BinlogPosition end) throws Exception {
        List<Cut> found = new ArrayList<>();
        assertTrue(steps(newest, end, found) >= 1);
        return found.get(0);
    }

    private void assertIsAt(BinlogPosition end, Cut cut) {
        assertEquals(end.cut(), cut.number());
        assertEquals(end.gno(), cut.transactions());
        assertEquals(end.gno(), cut.shards().get(0).frontier().count());
    }

    @Test
    void followsTheEndThroughSeveralFiles() throws Exception {
        assertEquals(0, find(newest, dumper.files().durableEnd()).transactions());
        while (dumper.files().list().size() < 3) {
            BinlogPosition end = dumper.files().list().size() == 1 && task.gno() > 100 ? writeLarge() : write(7);
            assertIsAt(end, find(newest, end));
            assertIsAt(end, find(newest, end));
            if (dumper.files().list().size() > 1) {
                end = writeLarge();
                assertIsAt(end, find(newest, end));
            }
        }
    }

    @Test
    void aStepIsBoundedAndTheNextQuestionReadsOnlyWhatIsNew() throws Exception {
        BinlogPosition end = writeLarge();
        List<Cut> found = new ArrayList<>();
        assertTrue(steps(newest, end, found) >= 2, "10 MB were read in one step");
        end = write(1);
        assertEquals(1, steps(newest, end, found));
        assertIsAt(end, found.get(1));
    }

    @Test
    void anEarlierEndIsAnsweredWithTheNewerCut() throws Exception {
        BinlogPosition first = write(3);
        BinlogPosition second = write(3);
        assertIsAt(second, find(newest, second));
        assertIsAt(second, find(newest, first));
        assertIsAt(first, find(new NewestCut(), first));
    }

    @Test
    void continuesInTheFilesOfARecovery() throws Exception {
        BinlogPosition end = write(3);
        assertIsAt(end, find(newest, end));
        dumper.close();
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(20_000_000));
        end = dumper.files().durableEnd();
        task = new TaskStream(5, Optional.of(find(newest, end)));
        end = write(2);
        assertIsAt(end, find(newest, end));
    }

    @Test
    void damageIsAnErrorAndNotAnOldCut() throws Exception {
        BinlogPosition first = write(3);
        assertIsAt(first, find(newest, first));
        BinlogPosition second = write(3);
        ByteBuffer damage = ByteBuffer.wrap(new byte[] {77});
        try (FileChannel channel = FileChannel.open(second.file().path(), StandardOpenOption.WRITE)) {
            assertEquals(1, channel.write(damage, first.offset() + 30));
        }
        assertThrows(TributaryException.class, () -> newest.step(second));
        assertThrows(TributaryException.class, () -> newest.step(second));
        assertIsAt(first, find(newest, first));
    }
}
