package io.tributary.common.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class HostPortTest {
    @Test
    void readsNamesAndAddresses() {
        assertEquals(new HostPort("db1.example", 3306), HostPort.parse("db1.example:3306"));
        assertEquals(new HostPort("::1", 3306), HostPort.parse("[::1]:3306"));
        assertEquals("[::1]:3306", HostPort.parse("[::1]:3306").toString());
    }

    @Test
    void refusesTextThatIsNotHostAndPort() {
        for (String text : new String[] {"", "host", ":1", "host:", "host:x", "host:65536", "host:-1"}) {
            assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text), text);
        }
    }
}
