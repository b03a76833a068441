package io.tributary.common.gtid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MariadbGtidsTest {
    @Test
    void aSourceNamesDomainAndServer() {
        Sid sid = MariadbGtids.sid(0xffff_ffffL, 0xffff_fffeL);
        assertTrue(MariadbGtids.isOne(sid));
        assertEquals(0xffff_ffffL, MariadbGtids.domain(sid));
        assertEquals(0xffff_fffeL, MariadbGtids.server(sid));
        assertFalse(MariadbGtids.isOne(new Sid(UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562"))));
        assertEquals(
                "4d617269-6144-8000-0000-000000000001", MariadbGtids.sid(0, 1).toString());
    }

    @Test
    void aGtidReadsAsMariadbWritesIt() {
        Gtid gtid = new Gtid(MariadbGtids.sid(7, 101), 12);
        assertEquals("7-101-12", gtid.toString());
        assertEquals(gtid, Gtid.parse("7-101-12"));
        assertEquals(gtid, Gtid.parse("4d617269-6144-8000-0000-000700000065:12"));
        assertThrows(IllegalArgumentException.class, () -> Gtid.parse("7-101-0"));
    }

    @Test
    void aStateContainsAllUpToEachOfItsGtids() {
        GtidSet state = MariadbGtids.upTo("0-1-50, 0-2-90,7-1-3");
        assertEquals(143, state.count());
        assertTrue(state.contains(MariadbGtids.sid(0, 2), 90));
        assertFalse(state.contains(MariadbGtids.sid(0, 2), 91));
        assertEquals(GtidSet.EMPTY, MariadbGtids.upTo(" "));
        assertEquals(state, GtidSet.decode(state.encode()));
        assertEquals(state, MariadbGtids.parse(state.line()));
    }

    @Test
    void aPositionIsTheNewestGtidOfEachDomain() {
        assertEquals("0-2-90,7-1-3", MariadbGtids.position(MariadbGtids.upTo("7-1-3,0-1-50,0-2-90")));
        assertEquals("0-2-90", MariadbGtids.position(MariadbGtids.upTo("0-2-90,0-1-50")));
        assertEquals("", MariadbGtids.position(GtidSet.EMPTY));
    }

    @Test
    void aDomainIsComparedByItsNewestNumberOfAnyServer() {
        GtidSet purged = MariadbGtids.upTo("0-1-50,0-2-80");
        GtidSet resume =
                new GtidSet.Builder().addRange(MariadbGtids.sid(0, 2), 51, 90).build();
        assertTrue(MariadbGtids.missing(purged, resume).isEmpty());
        assertEquals(
                "4d617269-6144-8000-0000-000000000002:61-80",
                MariadbGtids.missing(purged, MariadbGtids.upTo("0-1-60")).line());
        assertEquals(
                MariadbGtids.upTo("3-1-2"),
                MariadbGtids.missing(MariadbGtids.upTo("0-1-5,3-1-2"), MariadbGtids.upTo("0-1-5")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-2", "0-1-2,", "a-1-2", "0-1-x", "4294967296-1-2", "0-1-99999999999999999999"})
    void refusesTextThatIsNotAGtid(String text) {
        assertThrows(IllegalArgumentException.class, () -> MariadbGtids.upTo(text));
    }
}
