package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;

/** A client in one of its ways to read: a line of the matrix. */
interface Client {
    /** Its name, as a reader of the matrix would look for it. */
    String name();

    /** How it reads: by GTID, raw, with 8 workers and the like. */
    String mode();

    /** Its exact version. Fails with {@link NotHere} where it cannot be had on this machine. */
    String version() throws Exception;

    /** What it is set to here beside address and account, as one would write it down for another user of it. */
    String settings();

    default Compared compared() {
        return Compared.CHANGES;
    }

    /** Whether it logs in by mysql_native_password alone. */
    default boolean isOld() {
        return false;
    }

    /** Reads all of the workload; fails with the client's own words when the client gives up. */
    Reading read(Source source) throws Exception;

    /** The client cannot run on this machine; the message says why and what would change that. */
    final class NotHere extends Exception {
        private static final long serialVersionUID = 1;

        NotHere(String why) {
            super(why);
        }
    }
}
