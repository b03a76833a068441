package io.tributary.sink.mask;

import java.util.Locale;

/** What a message has in place of a value that is not NULL. */
public enum ValueMask {
    /** NULL. */
    NULL,
    /** Five asterisks. */
    STARS,
    /** 32 hexadecimal digits: the first half of an HMAC-SHA-256 of the value's text in UTF-8, or of its bytes. */
    HASH;

    /** How it is written in the configuration. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
