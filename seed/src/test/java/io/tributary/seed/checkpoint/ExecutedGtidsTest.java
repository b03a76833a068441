package io.tributary.seed.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.GtidSet;
import org.junit.jupiter.api.Test;

/** Tests of the text of gtid_owned, as MySQL 8.0.31 shows it. */
class ExecutedGtidsTest {
    private static final String A = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";
    private static final String DIGITS = "12345678-0000-0000-0000-000000000001";

    private static void assertOwned(String expected, String text) {
        assertEquals(GtidSet.parse(expected), ExecutedGtids.owned(text));
    }

    @Test
    void theOwnersOfGtidsAreLeftOut() {
        assertOwned("", "");
        assertOwned(A + ":7", A + ":7#59");
        assertOwned(A + ":11-12", A + ":12#62:11#60");
        assertOwned(A + ":11-12," + DIGITS + ":3", A + ":12#62:11#60" + DIGITS + ":3#61");
        assertOwned(DIGITS + ":3:5," + A + ":1", DIGITS + ":3#6:5#7" + A + ":1#123456789");
        assertOwned(A + ":1," + DIGITS + ":2", A + ":1#60,\n" + DIGITS + ":2#61");
    }
}
