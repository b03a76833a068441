package io.tributary.testkit.check;

import java.io.IOException;

/** Thrown for bytes that are not a valid binlog, with their position. */
public final class BinlogDamage extends IOException {
    private static final long serialVersionUID = 1;

    BinlogDamage(String file, long offset, String what) {
        super(file + " at " + offset + ": " + what);
    }
}
