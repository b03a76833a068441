package io.tributary.seed.copy;

/**
 * The limits of a copy.
 *
 * @param workers number of parts that are copied at the same time; each has one session on a shard and one on the target
 * @param perShard maximum number of sessions on one shard that read
 * @param bytesPerSecond limit of the bytes of rows that are written; 0 for none
 * @param maxLoad no chunk of a shard is begun while its Threads_running is above this number; 0 for no limit
 * @param statementBytes bytes of a statement that writes rows; one with a long row is longer
 */
public record CopyConfig(int workers, int perShard, long bytesPerSecond, int maxLoad, int statementBytes) {
    private static final int USUAL_STATEMENT = 1 << 20;
    private static final int LEAST_STATEMENT = 1 << 10;
    private static final int MOST_STATEMENT = 64 << 20;

    public CopyConfig {
        if (workers < 1 || perShard < 1 || bytesPerSecond < 0 || maxLoad < 0) {
            throw new IllegalArgumentException(
                    "expected at least one worker and session per shard and limits of 0 or more," + " found " + workers
                            + ", " + perShard + ", " + bytesPerSecond + ", " + maxLoad);
        }
        if (statementBytes < LEAST_STATEMENT || statementBytes > MOST_STATEMENT) {
            throw new IllegalArgumentException("expected statements of 1 KiB to 64 MiB, found " + statementBytes);
        }
    }

    /** Without limits of rate and load. */
    public static CopyConfig of(int workers) {
        return new CopyConfig(workers, workers, 0, 0, USUAL_STATEMENT);
    }
}
