package io.tributary.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** The quickstart parses its options, and rejects unknown options and wrong values. */
class QuickstartOptionsTest {
    @Test
    void leavesEverythingRunningByDefault() {
        assertEquals(new QuickstartOptions(QuickstartOptions.Setting.NODE, false, 20, 1, 3), QuickstartOptions.parse());
        assertEquals(
                new QuickstartOptions(QuickstartOptions.Setting.CLUSTER, true, 5, 42, 8),
                QuickstartOptions.parse("--cluster", "--once", "--seconds", "5", "--seed", "42", "--lease", "8"));
    }

    @Test
    void seedsAReplicaOfShardsWithData() {
        assertEquals(
                new QuickstartOptions(QuickstartOptions.Setting.WITH_DATA, true, 20, 1, 3),
                QuickstartOptions.parse("--with-data", "--once"));
    }

    @Test
    void sendsToKafka() {
        assertEquals(
                new QuickstartOptions(QuickstartOptions.Setting.KAFKA, true, 20, 1, 3),
                QuickstartOptions.parse("--kafka", "--once"));
    }

    @Test
    void namesTheWrongOption() {
        assertRefused("unknown option: --twice", "--twice");
        assertRefused("--seconds takes a number", "--seconds");
        assertRefused("--seconds takes a number", "--seconds", "many");
        assertRefused("--seconds takes 1 to 86400", "--seconds", "0");
        assertRefused("--cluster, --with-data and --kafka exclude each other", "--cluster", "--with-data");
        assertRefused("--lease takes 1 to 10", "--lease", "11");
    }

    private static void assertRefused(String message, String... arguments) {
        var refused = assertThrows(IllegalArgumentException.class, () -> QuickstartOptions.parse(arguments));
        assertEquals(message, refused.getMessage());
    }
}
