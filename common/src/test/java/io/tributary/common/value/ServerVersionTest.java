package io.tributary.common.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ServerVersionTest {
    @Test
    void readsProductAndVersionFromVersionStrings() {
        assertEquals(new ServerVersion(false, 80031), ServerVersion.of("8.0.31"));
        assertEquals(new ServerVersion(false, 50722), ServerVersion.of("5.7.22-log"));
        assertEquals(new ServerVersion(false, 90704), ServerVersion.of("9.7.4-2+b1"));
        assertEquals(new ServerVersion(true, 101118), ServerVersion.of("10.11.18-MariaDB-0+deb12u1-log"));
        assertEquals(new ServerVersion(true, 100513), ServerVersion.of("5.5.5-10.5.13-MariaDB"));
        assertEquals(new ServerVersion(false, 50505), ServerVersion.of("5.5.5"));
    }

    @Test
    void usesTheStandardVersionForOtherText() {
        assertEquals(ServerVersion.STANDARD, ServerVersion.of(""));
        assertEquals(ServerVersion.STANDARD, ServerVersion.of("8.0"));
        assertEquals(ServerVersion.STANDARD, ServerVersion.of("8.0.12345"));
    }
}
