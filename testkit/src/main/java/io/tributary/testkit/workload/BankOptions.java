package io.tributary.testkit.workload;

/**
 * The size and mix of a bank workload.
 *
 * @param seed seed of all random choices
 * @param accountsPerShard at least 2
 * @param vouchersPerShard rows that XA transactions move from shard to shard by DELETE and INSERT; 0 for none
 * @param threads number of threads, each with a session per shard
 * @param xaShare share of the transactions that span shards, 0 to 1
 * @param perSecond transactions per second over all threads, 0 for no limit
 * @param sessionSetup statements for each session, such as {@code SET SESSION binlog_transaction_compression=ON}; may be empty
 */
public record BankOptions(
        long seed,
        int accountsPerShard,
        int vouchersPerShard,
        int threads,
        double xaShare,
        double perSecond,
        String sessionSetup) {
    static final long FIRST_BALANCE = 1000;

    public BankOptions {
        if (accountsPerShard < 2 || threads < 1 || xaShare < 0 || xaShare > 1) {
            throw new IllegalArgumentException(
                    "expected 2 or more accounts per shard, 1 or more threads," + " an XA share from 0 to 1");
        }
    }

    /** 100 accounts and 8 vouchers a shard, 4 threads, 30% XA, no rate limit. */
    public static BankOptions seeded(long seed) {
        return new BankOptions(seed, 100, 8, 4, 0.3, 0, "");
    }

    public BankOptions accountsPerShard(int count) {
        return new BankOptions(seed, count, vouchersPerShard, threads, xaShare, perSecond, sessionSetup);
    }

    public BankOptions vouchersPerShard(int count) {
        return new BankOptions(seed, accountsPerShard, count, threads, xaShare, perSecond, sessionSetup);
    }

    public BankOptions threads(int count) {
        return new BankOptions(seed, accountsPerShard, vouchersPerShard, count, xaShare, perSecond, sessionSetup);
    }

    public BankOptions xaShare(double share) {
        return new BankOptions(seed, accountsPerShard, vouchersPerShard, threads, share, perSecond, sessionSetup);
    }

    public BankOptions perSecond(double rate) {
        return new BankOptions(seed, accountsPerShard, vouchersPerShard, threads, xaShare, rate, sessionSetup);
    }

    public BankOptions sessionSetup(String statement) {
        return new BankOptions(seed, accountsPerShard, vouchersPerShard, threads, xaShare, perSecond, statement);
    }
}
