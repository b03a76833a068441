package io.tributary.mysql.event.xa;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.common.Corpus;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Texts of XA statements are read or refused with one error. bin/fuzz lets Jazzer search for more cases. */
class XaFuzzTest {
    private static final int ROUNDS = 20_000;

    @FuzzTest(maxDuration = "60s")
    void xidText(byte[] bytes) {
        ByteBuffer view = ByteBuffer.wrap(bytes);
        try {
            XaStatement statement = new XaText(view, 0, 0, bytes.length).statement();
            assertTrue(statement.xid().gtrid().length <= 64 && statement.xid().bqual().length <= 64);
        } catch (TributaryException refusal) {
            assertTrue(refusal.getMessage().contains("expected "), refusal.getMessage());
        }
    }

    @Test
    void changedTextsAreReadOrRejected() {
        Corpus.of(XaFuzzTest.class, "xidText").mutate(3, ROUNDS, this::xidText);
    }
}
