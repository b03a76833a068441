package io.tributary.seed.verify;

import java.time.Duration;

/**
 * How tables are compared.
 *
 * @param volume how much is read
 * @param mode what is shown and done for a row that differs
 * @param limit longest wait until the replica has applied what the shards have executed
 */
public record VerifyOptions(Volume volume, Mode mode, Duration limit) {
    /**
     * How much is read.
     *
     * @param chunk rows of a chunk, at most
     * @param sample percent of the chunks that are compared, 1 to 100
     * @param maxLoad a chunk waits while a server has more running threads; 0: it never waits
     * @param findings after so many findings the rest of a table is left out
     * @param rate rows of a table that are compared per second, at most; 0: no limit
     */
    public record Volume(int chunk, int sample, int maxLoad, int findings, int rate) {
        public Volume {
            if (chunk < 1 || sample < 1 || sample > 100 || maxLoad < 0 || findings < 1 || rate < 0) {
                throw new IllegalArgumentException(
                        "expected chunk >= 1, sample 1 to 100, max-load >= 0, limit >= 1 and rate >= 0, found " + chunk
                                + ", " + sample + ", " + maxLoad + ", " + findings + " and " + rate);
            }
        }

        /** All rows in chunks of this size. */
        public static Volume chunksOf(int rows) {
            return new Volume(rows, 100, 0, 1_000, 0);
        }
    }

    /** Whether statements that repair the replica are made, and whether they are run. */
    public enum Repair {
        NONE,
        PRINT,
        RUN
    }

    /**
     * What is shown and done for a row that differs.
     *
     * @param showsValues whether findings have the values of the columns that differ
     * @param locks whether the last comparison of a row holds a shared lock on it on its shard, which excludes that it changed and changed back
     */
    public record Mode(boolean showsValues, boolean locks, Repair repair) {
        /** Nothing is shown, locked or repaired. */
        public static final Mode PLAIN = new Mode(false, false, Repair.NONE);

        /** Repaired rows are always locked. */
        boolean hasLock() {
            return locks || repair == Repair.RUN;
        }
    }

    /** All rows in chunks of 10,000. */
    public static VerifyOptions standard() {
        return new VerifyOptions(Volume.chunksOf(10_000), Mode.PLAIN, Duration.ofMinutes(1));
    }

    /** The same with another mode. */
    public VerifyOptions with(Mode other) {
        return new VerifyOptions(volume, other, limit);
    }
}
