package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.Corpus;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damaged files of a Dumper's own folder are read or refused with one error. bin/fuzz lets Jazzer search for more cases. */
class FormatFuzzTest {
    private static final int ROUNDS = 20_000;
    private static final int FILES = 500;

    private Path file;

    @BeforeEach
    void create() throws IOException {
        file = Files.createTempFile("fuzz", ".bytes");
    }

    @AfterEach
    void delete() throws IOException {
        Files.delete(file);
    }

    @FuzzTest(maxDuration = "60s")
    void cut(byte[] bytes) {
        try {
            Cut cut = CutCodec.decodeFull(ByteBuffer.wrap(bytes));
            assertEquals(cut, CutCodec.decodeFull(ByteBuffer.wrap(CutCodec.encodeFull(cut))));
        } catch (TributaryException refusal) {
            assertEquals(ErrorCode.CUT_UNUSABLE, refusal.code(), refusal::line);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void journal(byte[] bytes) {
        try {
            Journal record = JournalCodec.decode(ByteBuffer.wrap(bytes));
            Journal again = JournalCodec.decode(ByteBuffer.wrap(JournalCodec.encode(record)));
            assertEquals(record.number(), again.number());
            assertEquals(record.puts().size(), again.puts().size());
            assertEquals(record.removed(), again.removed());
        } catch (TributaryException refusal) {
            assertEquals(ErrorCode.CUT_UNUSABLE, refusal.code(), refusal::line);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void index(byte[] bytes) {
        try {
            Files.write(file, bytes);
            List<SparseEntry> entries = SparseIndex.read(file);
            assertEquals(bytes.length / SparseEntry.LENGTH, entries.size());
            for (SparseEntry entry : entries) {
                SparseIndex.offsetBefore(entries, SparseEntry::gno, entry.gno());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void changedBytesAreReadOrRefused() {
        Corpus.of(FormatFuzzTest.class, "cut").mutate(1, ROUNDS, this::cut);
        Corpus.of(FormatFuzzTest.class, "journal").mutate(2, ROUNDS, this::journal);
        Corpus.of(FormatFuzzTest.class, "index").mutate(3, FILES, this::index);
    }
}
