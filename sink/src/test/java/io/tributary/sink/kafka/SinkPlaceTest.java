package io.tributary.sink.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.changes.ChangeTransaction;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.sink.CopyPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SinkPlaceTest {
    private static final ChangeTransaction TRANSACTION =
            new ChangeTransaction(Gtid.parse("a33704a8-dfee-4563-842e-5a949b0f5c98:7"), 8, "binlog.000001", 9);

    private static String text(SinkPlace place) {
        return new String(place.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aPlaceInTheStreamIsReadAsItWasWritten() {
        SinkPlace place = new SinkPlace(TRANSACTION, 3, Map.of("shop.t", 4));
        assertEquals(place, SinkPlace.parse(place.bytes(), "here"));
        assertEquals(TRANSACTION, place.finished());
        assertTrue(text(place).startsWith("{\"version\":1,"), text(place));
    }

    /** A sink that knows version 1 only refuses it. */
    @Test
    void aPlaceInASnapshotHasAnotherVersion() {
        CopyPlace copy = new CopyPlace(
                new TableName("shop", "\u00e9\"t"), List.of("_utf8mb4 x'ff'", "-1.5e0"), 12, 0xffff_ffffL, 1L << 40);
        SinkPlace place = new SinkPlace(TRANSACTION, 0, Map.of(), Optional.of(copy));
        assertEquals(place, SinkPlace.parse(place.bytes(), "here"));
        assertNull(place.finished());
        assertTrue(text(place).startsWith("{\"version\":2,"), text(place));
    }

    @Test
    void otherVersionsAreRefused() {
        for (String other : List.of("\"version\":2", "\"version\":3", "\"version\":0")) {
            String json = text(new SinkPlace(TRANSACTION, 3, Map.of())).replace("\"version\":1", other);
            TributaryException found = assertThrows(
                    TributaryException.class, () -> SinkPlace.parse(json.getBytes(StandardCharsets.UTF_8), "here"));
            assertEquals(ErrorCode.SINK_TOPIC_UNFIT, found.code());
            assertTrue(found.getMessage().startsWith("here: expected"), found.getMessage());
        }
    }
}
