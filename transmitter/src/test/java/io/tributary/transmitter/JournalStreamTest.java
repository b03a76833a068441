package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Put;
import io.tributary.store.JournalMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The journal between Task and Dumper: the Dumper sends its map before a stream begins, the Task sends its changes with the transactions. */
class JournalStreamTest {
    private static final StreamIdentity IDENTITY = new StreamIdentity("c1", "main");
    private static final int MIB = 1 << 20;

    private final Chunks chunks = new Chunks();

    private static TransmitServer serve(StreamSource task) {
        return new TransmitServer(TransmitSettings.at(0, MIB), IDENTITY, task, new Metrics(), Clock.SYSTEM);
    }

    private static TestDumper dumper(TransmitServer server, StreamStart start) {
        return new TestDumper(TransmitSettings.at(server.port(), MIB), IDENTITY, 0, start);
    }

    private static List<Journal> records(Iterator<Journal> snapshot) {
        List<Journal> records = new ArrayList<>();
        snapshot.forEachRemaining(records::add);
        return records;
    }

    private static Journal change(long number) {
        Put put = new Put("k" + number % 17, new byte[] {(byte) number, (byte) (number >> 8)});
        return Journal.change(number, List.of(put), List.of("k" + (number + 5) % 17));
    }

    private static JournalMap mapAt(long number) {
        JournalMap map = JournalMap.onHeap();
        for (long i = 1; i <= number; i++) {
            map.fold(change(i));
        }
        return map;
    }

    @Test
    void theMapArrivesInPartsBeforeTheStreamBegins() {
        JournalMap map = JournalMap.onHeap();
        for (int i = 0; i < 30_000; i++) {
            map.put("d\0shop\0t" + i, new byte[150]);
        }
        map.nextNumber();
        TestTask task = new TestTask(5, number -> chunks.batch(number, 100));
        Cut resume = Chunks.cut(3).behindChange(1);
        try (TransmitServer server = serve(task);
                TestDumper dumper = dumper(server, new StreamStart(Optional.of(resume), map::snapshot))) {
            dumper.takeUntil(5);
            assertEquals(List.of(Optional.of(resume)), task.opened());
            assertTrue(task.journals().get(0).size() > 8);
            assertEquals(List.of(records(map.snapshot())), task.journals());
        }
        assertEquals(0, chunks.held());
    }

    @Test
    void withoutAChangeNothingIsSentAndTheStreamBeginsAtOnce() {
        TestTask task = new TestTask(5, number -> chunks.batch(number, 100));
        StreamStart start = new StreamStart(Optional.of(Chunks.cut(3)), () -> {
            throw new AssertionError("the journal was read");
        });
        try (TransmitServer server = serve(task);
                TestDumper dumper = dumper(server, start)) {
            dumper.takeUntil(5);
            assertEquals(List.of(List.of(Journal.end(0))), task.journals());
        }
    }

    @Test
    void refusesAMapOfAnotherChangeThanThatOfTheCut() {
        TestTask task = new TestTask(5, number -> chunks.batch(number, 100));
        for (long number : new long[] {3, 5}) {
            StreamStart start = new StreamStart(
                    Optional.of(Chunks.cut(3).behindChange(4)),
                    () -> mapAt(number).snapshot());
            try (TransmitServer server = serve(task);
                    TestDumper dumper = dumper(server, start)) {
                TributaryException thrown = assertThrows(TributaryException.class, () -> dumper.takeUntil(5));
                assertEquals(ErrorCode.STREAM_CONTRADICTION, thrown.code());
                assertTrue(thrown.getMessage().contains("expected the journal up to change 4"), thrown.getMessage());
            }
        }
        assertEquals(List.of(), task.opened());
    }

    @Test
    void streamsThatBreakAnywhereAndResumeAfterACutNeitherLoseNorRepeatAChange() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> wrong = new CopyOnWriteArrayList<>();
        StreamSource task = (resume, journal, sink, sender, dumper) -> {
            Cut from = resume.orElse(Chunks.cut(0));
            if (!records(journal.snapshot())
                    .equals(records(mapAt(from.schemaNumber()).snapshot()))) {
                wrong.add("the map at change " + from.schemaNumber());
            }
            return new TestTask(300, number -> chunk(from, number)).open(resume, journal, sink, sender, dumper);
        };
        try (TransmitServer server = serve(task)) {
            Optional<Cut> resume = Optional.empty();
            for (int stream = 0; stream < 40; stream++) {
                JournalMap folded = mapOf(resume); // as at the last cut, built from its number alone
                JournalMap ahead = mapOf(resume);
                StreamStart start = new StreamStart(resume, folded::snapshot);
                try (TestDumper dumper = dumper(server, start)) {
                    for (int taken = 1 + random.nextInt(100); taken > 0; taken--) {
                        Chunk chunk = dumper.next();
                        if (chunk instanceof Chunk.JournalMark mark) {
                            ahead.fold(mark.change());
                        } else if (chunk instanceof Chunk.CutMark mark) {
                            assertEquals(ahead.number(), mark.cut().schemaNumber(), () -> "seed " + seed);
                            resume = Optional.of(mark.cut());
                        }
                        chunk.release();
                    }
                }
                assertEquals(
                        records(mapAt(ahead.number()).snapshot()), records(ahead.snapshot()), () -> "seed " + seed);
            }
            assertTrue(resume.orElseThrow().schemaNumber() > 100);
        }
        assertEquals(List.of(), wrong, () -> "seed " + seed);
        assertEquals(0, chunks.held());
    }

    private static JournalMap mapOf(Optional<Cut> resume) {
        return mapAt(resume.map(Cut::schemaNumber).orElse(0L));
    }

    /** Change, transactions, cut, and again. */
    private Chunk chunk(Cut from, long number) {
        long turn = (number + 2) / 3;
        return switch ((int) (number % 3)) {
            case 1 -> new Chunk.JournalMark(number, change(from.schemaNumber() + turn));
            case 2 -> chunks.batch(number, 300);
            default ->
                new Chunk.CutMark(number, Chunks.cut(from.number() + turn).behindChange(from.schemaNumber() + turn));
        };
    }
}
