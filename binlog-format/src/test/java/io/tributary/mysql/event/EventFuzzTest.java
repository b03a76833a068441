package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.common.Corpus;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Events, and the texts of GTID sets and XIDs: read within their ends, or rejected with what was expected. */
class EventFuzzTest {
    private static final int ROUNDS = 20_000;

    @FuzzTest(maxDuration = "60s")
    void events(byte[] bytes) {
        ByteBuffer view = ByteBuffer.wrap(bytes);
        try {
            EventHeader.check(view, 0);
            int end = EventHeader.end(view, 0);
            Events.check(view, 0, end);
            Readers.readAll(view, 0, end, null);
        } catch (TributaryException refusal) {
            assertTrue(refusal.getMessage().contains("expected "), refusal.getMessage());
        }
    }

    @FuzzTest(maxDuration = "60s")
    void gtidText(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        GtidSet set;
        try {
            set = GtidSet.parse(text);
        } catch (IllegalArgumentException refusal) {
            assertTrue(refusal.getMessage().contains("expected "), refusal.getMessage());
            return;
        }
        assertEquals(set, GtidSet.parse(set.toString()));
        assertEquals(set, GtidSet.decode(set.encode()));
    }

    @Test
    void changedEventsAndTextsAreReadOrRejected() {
        Corpus.of(EventFuzzTest.class, "events").mutate(1, ROUNDS, this::events);
        Corpus.of(EventFuzzTest.class, "gtidText").mutate(2, ROUNDS, this::gtidText);
    }
}
