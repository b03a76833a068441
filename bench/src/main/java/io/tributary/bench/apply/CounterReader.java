package io.tributary.bench.apply;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;

/** Reads the counters of {@link CounterLoad} on a target, again and again, until they have their last values. */
final class CounterReader implements Callable<CounterReader.Seen> {
    private final MysqlServer target;
    private final long last;
    private volatile boolean isStopped;

    /**
     * What it has seen.
     *
     * @param states that were different from the one before
     * @param unordered those with a transaction that lacked an earlier one
     */
    record Seen(long states, long unordered) {}

    /** @param last the last value of both counters */
    CounterReader(MysqlServer target, long last) {
        this.target = target;
        this.last = last;
    }

    /** Ends it before the last values. */
    void stop() {
        isStopped = true;
    }

    @Override
    public Seen call() throws SQLException {
        long states = 0;
        long unordered = 0;
        long sum = -1;
        try (Sql sql = target.sql();
                Statement statement = sql.connection().createStatement()) {
            while (!isStopped) {
                try (ResultSet row = statement.executeQuery(CounterLoad.READ)) {
                    row.next();
                    long a = row.getLong(1);
                    long b = row.getLong(3);
                    long all = row.getLong(2) + row.getLong(4);
                    boolean isOrdered = CounterLoad.isOrdered(a, row.getLong(2), b, row.getLong(4));
                    states += all == sum ? 0 : 1;
                    unordered += all == sum || isOrdered ? 0 : 1;
                    sum = all;
                    if (a == last && b == last && isOrdered) {
                        return new Seen(states, unordered);
                    }
                }
            }
        }
        return new Seen(states, unordered);
    }
}
