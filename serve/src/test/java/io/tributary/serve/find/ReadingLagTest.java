package io.tributary.serve.find;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transaction n of the stream was committed n seconds after a fixed time. */
class ReadingLagTest {
    private static final long START_MICROS = 1_700_000_000L * 1_000_000;

    @TempDir
    Path folder;

    private Dumper dumper;
    private TaskStream task;

    @BeforeEach
    void write() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(200_000));
        task = new TaskStream(3, Optional.empty());
        while (dumper.files().list().size() < 3) {
            put();
        }
        put();
    }

    private void put() throws Exception {
        dumper.put(task.batch(50));
        dumper.put(task.cut());
        dumper.run();
    }

    @AfterEach
    void close() {
        dumper.close();
    }

    private ReadingLag lag(BinlogFile file, long offset) throws Exception {
        return ReadingLag.of(dumper.files(), file, offset);
    }

    /** Compares the lag at each event of all files with what a walk over all of them counts. */
    @Test
    void theLagAtEachEventIsExact() throws Exception {
        long total = dumper.files().list().stream().mapToLong(BinlogFile::end).sum();
        long last = dumper.files().durableEnd().gno();
        long gno = 0;
        long before = 0;
        for (BinlogFile file : dumper.files().list()) {
            ByteBuffer view = ByteBuffer.wrap(Files.readAllBytes(file.path()));
            boolean isInside = false;
            for (int at = EventHeader.FILE_MAGIC_LENGTH; at < file.end(); at += EventHeader.size(view, at)) {
                int type = EventHeader.type(view, at);
                if (type == EventType.GTID_LOG_EVENT) {
                    gno = GtidEvent.gno(view, at);
                    isInside = true;
                } else if (type == EventType.IGNORABLE_LOG_EVENT || type == EventType.ROTATE_EVENT) {
                    isInside = false;
                }
                long complete = isInside ? gno - 1 : gno;
                ReadingLag lag = lag(file, at);
                assertEquals(total - before - at, lag.bytes(), file + ":" + at);
                assertEquals(last - complete, lag.transactions(), file + ":" + at);
                assertEquals(
                        complete == last ? 0 : START_MICROS + (complete + 1) * 1_000_000,
                        lag.commitMicros(),
                        file + ":" + at);
            }
            before += file.end();
        }
    }

    @Test
    void nothingIsBehindAtTheEnd() throws Exception {
        assertEquals(
                ReadingLag.NONE,
                lag(
                        dumper.files().durableEnd().file(),
                        dumper.files().durableEnd().offset()));
    }

    @Test
    void aFileWithoutAnIndexIsWalkedFromItsBeginning() throws Exception {
        BinlogFile first = dumper.files().first();
        Files.delete(first.indexPath());
        ReadingLag lag = lag(first, EventHeader.FILE_MAGIC_LENGTH);
        assertEquals(dumper.files().durableEnd().gno(), lag.transactions());
        assertTrue(Files.notExists(first.indexPath()), "measuring writes nothing");
    }
}
