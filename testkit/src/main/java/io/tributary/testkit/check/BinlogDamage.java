package io.tributary.testkit.check;

import java.io.IOException;

/** Bytes that are not a binlog, at a place. */
public final class BinlogDamage extends IOException {
    private static final long serialVersionUID = 1;

    BinlogDamage(String file, long offset, String what) {
        super(file + " at " + offset + ": " + what);
    }
}
