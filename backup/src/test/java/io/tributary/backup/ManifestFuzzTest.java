package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.backup.store.Sha256;
import io.tributary.common.Corpus;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Manifests with changed content, with and without a matching checksum, are read or refused. bin/fuzz runs Jazzer to find others. */
class ManifestFuzzTest {
    private static final int ROUNDS = 4_000;

    private static void readOrRefuse(byte[] bytes) {
        try {
            Manifest read = Manifest.parse("m", bytes);
            assertEquals(read, Manifest.parse("m", read.bytes()));
        } catch (TributaryException refusal) {
            assertEquals(ErrorCode.BACKUP_CORRUPT, refusal.code(), refusal::line);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void manifest(byte[] bytes) {
        readOrRefuse(bytes);
        String text = new String(bytes, StandardCharsets.UTF_8);
        String whole = text.endsWith("\n") ? text : text + "\n";
        String sum = Sha256.of(whole.getBytes(StandardCharsets.UTF_8));
        readOrRefuse(
                (whole + "end " + (whole.lines().count() - 1) + " " + sum + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void changedManifestsAreReadOrRefused() {
        Corpus.of(ManifestFuzzTest.class, "manifest").mutate(1, ROUNDS, this::manifest);
    }
}
