package io.tributary.sink.avro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AvroNamesTest {
    @Test
    void otherCharactersBecomeUnderscores() {
        assertEquals("a_b_1", AvroNames.of("a-b 1"));
        assertEquals("_1a", AvroNames.of("1a"));
        assertEquals("__", AvroNames.of("中😀"));
        assertEquals("_", AvroNames.of(""));
        assertEquals("aZ09_", AvroNames.of("aZ09_"));
    }
}
