package io.tributary.testkit.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Xid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The XIDs that coordinators of PolarDB-X write. */
class DrdsXidTest {
    @Test
    void parsesXids() {
        DrdsXid branch = DrdsXid.of(xid("drds-16248b5ed0010000@e394da2fea20da21", "DB_SINGLE_GROUP@0003"));
        assertEquals(0x16248b5ed0010000L, branch.transactionId());
        assertEquals(0xe394da2fea20da21L, branch.suffix());
        assertEquals("DB_SINGLE_GROUP", branch.group());
        assertEquals("0003", branch.readView());
        assertEquals(xid("drds-16248b5ed0010000@e394da2fea20da21", "DB_SINGLE_GROUP@0003"), branch.xid());
        assertEquals("", DrdsXid.of(xid("drds-1@2", "G")).readView());
    }

    @Test
    void branchesOfOneTransactionShareItsGtridInAnyGroupAndReadView() {
        Xid one = xid("drds-7f@2a", "G1@0001");
        Xid otherReadView = xid("drds-7f@2a", "G1@0002");
        Xid otherGroup = xid("drds-7f@2a", "G2");
        assertEquals(one.global(), otherReadView.global());
        assertEquals(one.global(), otherGroup.global());
        assertNotEquals(one, otherReadView);
        assertNotEquals(one.global(), xid("drds-80@2a", "G1@0001").global());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"drds-", "drds-7f", "drds-@2a", "drds-7f@", "drds-7g@2a", "drds-11112222333344445@1", "drds--1@2"
            })
    void rejectsXidsThatOnlyHaveThePrefix(String gtrid) {
        Xid xid = xid(gtrid, "G");
        assertTrue(DrdsXid.isOne(xid));
        TributaryException refusal = assertThrows(TributaryException.class, () -> DrdsXid.of(xid));
        assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
        assertTrue(refusal.getMessage().contains("found '" + gtrid + "'"), refusal.getMessage());
    }

    @Test
    void ignoresOtherCoordinatorsXids() {
        assertFalse(DrdsXid.isOne(xid("transfer-7", "s1")));
        assertFalse(DrdsXid.isOne(xid("drd", "")));
    }

    private static Xid xid(String gtrid, String bqual) {
        return new Xid(gtrid.getBytes(StandardCharsets.US_ASCII), bqual.getBytes(StandardCharsets.US_ASCII), 1);
    }
}
