package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Journal.Put;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal's map at any place is the result of the changes before that place, or the place is refused as purged. */
class JournalAtTest {
    @TempDir
    Path folder;

    /** The expected map at a place before a transaction or at the end. */
    private record Known(FileOffset place, Map<String, String> map) {}

    private static final class Model {
        private final Map<Long, Map<String, String>> beforeTransaction = new TreeMap<>();
        private Map<String, String> now = Map.of();

        void write(Dumper dumper, TaskStream task, Random random) throws Exception {
            for (int i = random.nextInt(4); i >= 0; i--) {
                if (random.nextInt(3) == 0) {
                    String key = "d\0shop\0t" + random.nextInt(6) + "\0";
                    byte[] value = ("value " + random.nextInt() + "x".repeat(random.nextInt(200)))
                            .getBytes(StandardCharsets.UTF_8);
                    now = new TreeMap<>(now);
                    now.put(key, new String(value, StandardCharsets.UTF_8));
                    List<String> removed = new ArrayList<>();
                    String gone = "d\0shop\0t" + random.nextInt(6) + "\0";
                    if (now.containsKey(gone) && !gone.equals(key)) {
                        now.remove(gone);
                        removed.add(gone);
                    }
                    dumper.put(task.change(List.of(new Put(key, value)), removed));
                }
                int count = 1 + random.nextInt(3);
                for (int n = 1; n <= count; n++) {
                    beforeTransaction.put(task.gno() + n, now);
                }
                dumper.put(task.batch(count));
            }
            dumper.put(task.cut());
            dumper.run();
        }

        List<Known> places(BinlogFiles files) throws IOException {
            List<Known> known = new ArrayList<>();
            for (BinlogFile file : files.list()) {
                try (FileChannel channel = file.open()) {
                    EventScan events =
                            new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, file.end());
                    while (events.next()) {
                        if (events.type() == EventType.GTID_LOG_EVENT) {
                            long gno = GtidEvent.gno(events.view(), events.viewAt());
                            known.add(
                                    new Known(new FileOffset(file.number(), events.at()), beforeTransaction.get(gno)));
                        }
                    }
                }
            }
            known.add(new Known(FileOffset.of(files.durableEnd()), now));
            return known;
        }
    }

    private static Map<String, String> shown(JournalMap map) {
        Map<String, String> shown = new TreeMap<>();
        map.forEach("", (key, value) -> shown.put(key, new String(value, StandardCharsets.UTF_8)));
        return shown;
    }

    @Test
    void atAnyPlaceOfAnyHistoryTheMapIsTheResultOfTheChangesBeforeIt() throws Exception {
        long first = Long.getLong("journal.seed", new Random().nextLong());
        int purged = 0;
        int searched = 0;
        for (long seed = first; seed < first + 150; seed++) {
            String replay = "-Djournal.seed=" + seed;
            Random random = new Random(seed);
            Model model = new Model();
            BinlogSettings settings =
                    BinlogSettings.in(folder.resolve("h" + (seed - first))).fileSize(1500 + random.nextInt(9000));
            try (Dumper dumper = new Dumper(settings);
                    JournalAt journal = new JournalAt(dumper.files(), "journal.read")) {
                TaskStream task = new TaskStream(5, Optional.empty());
                for (int turn = 0; turn < 12; turn++) {
                    model.write(dumper, task, random);
                    if (random.nextInt(6) == 0) {
                        List<BinlogFile> files = dumper.files().list();
                        dumper.files()
                                .purgeTo(files.get(random.nextInt(files.size())).name());
                        dumper.run();
                    }
                    List<Known> places = model.places(dumper.files());
                    int held = dumper.files().oldestHeld();
                    for (int i = 0; i < 4; i++) {
                        Known known = places.get(i == 0 ? places.size() - 1 : random.nextInt(places.size()));
                        searched++;
                        try {
                            journal.moveTo(known.place());
                            assertEquals(known.map(), shown(journal.map()), replay + " at " + known.place());
                        } catch (TributaryException e) {
                            assertEquals(ErrorCode.READER_REFUSED, e.code(), replay + " " + e);
                            assertTrue(i > 0, replay + ": the newest place is never purged: " + e);
                            purged++;
                        }
                    }
                    assertEquals(held, dumper.files().oldestHeld(), replay);
                }
            }
        }
        assertTrue(purged < searched / 4, purged + " of " + searched + " places were purged");
    }

    @Test
    void anIndexWithoutChangesIsNotTrusted() throws Exception {
        Model model = new Model();
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder).fileSize(3000));
                JournalAt journal = new JournalAt(dumper.files(), "journal.read")) {
            TaskStream task = new TaskStream(5, Optional.empty());
            Random random = new Random(3);
            for (int i = 0; i < 20; i++) {
                model.write(dumper, task, random);
            }
            for (BinlogFile file : dumper.files().list()) {
                byte[] bytes = Files.readAllBytes(file.indexPath());
                List<Byte> kept = new ArrayList<>();
                for (int at = 0; at < bytes.length; at += SparseEntry.LENGTH) {
                    boolean isChange = bytes[at + SparseEntry.LENGTH - 1] == -1;
                    for (int i = at; !isChange && i < at + SparseEntry.LENGTH; i++) {
                        kept.add(bytes[i]);
                    }
                }
                byte[] rest = new byte[kept.size()];
                for (int i = 0; i < rest.length; i++) {
                    rest[i] = kept.get(i);
                }
                Files.write(file.indexPath(), rest);
            }
            for (Known known : model.places(dumper.files())) {
                journal.moveTo(known.place());
                assertEquals(known.map(), shown(journal.map()));
            }
        }
    }
}
