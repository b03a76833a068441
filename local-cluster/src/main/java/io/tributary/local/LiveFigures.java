package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.workload.BankFigures;
import io.tributary.testkit.workload.BankWorkload;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Prints one line of figures each second: transactions/s in, for each shard; transactions/s out; lag; the end of the replica's gtid_executed. */
final class LiveFigures {
    private static final int GTID_WIDTH = 60;

    private final PrintStream out;
    private final Supplier<NodeProcess> writer;
    private final MysqlReplica replica;
    private final BankWorkload bank;

    /** @param writer the node that writes the binlog now */
    LiveFigures(PrintStream out, Supplier<NodeProcess> writer, MysqlReplica replica, BankWorkload bank) {
        this.out = out;
        this.writer = writer;
        this.replica = replica;
        this.bank = bank;
    }

    /** The counts at one moment. */
    private record Moment(long nanos, BankFigures figures, long written) {}

    /** Prints a line each second until this time has passed. */
    void show(Duration duration) throws SQLException {
        out.printf(
                "%6s  %-24s %8s %8s  %s%n", "time", "in: txn/s per shard", "out/s", "lag ms", "replica gtid_executed");
        long start = System.nanoTime();
        Moment before = now();
        for (int second = 1; second <= duration.toSeconds(); second++) {
            long next = start + Duration.ofSeconds(second).toNanos();
            Await.until("the next second", Duration.ofSeconds(30), () -> System.nanoTime() - next >= 0);
            Moment now = now();
            show(second, before, now);
            before = now;
        }
    }

    private Moment now() {
        return new Moment(System.nanoTime(), bank.figures(), ClusterNodes.transactions(writer.get()));
    }

    private void show(int second, Moment before, Moment now) throws SQLException {
        double seconds = (now.nanos - before.nanos) / 1e9;
        out.printf(
                "%5ds  %-24s %8.0f %8.0f  %s%n",
                second,
                perShard(before.figures, now.figures, seconds),
                (now.written - before.written) / seconds,
                writer.get().largest("tributary_shard_lag_seconds") * 1000,
                newestGtid());
        out.flush();
    }

    private String newestGtid() throws SQLException {
        String executed = replica.server().gtidExecuted();
        return executed.length() > GTID_WIDTH ? "..." + executed.substring(executed.length() - GTID_WIDTH) : executed;
    }

    private static String perShard(BankFigures before, BankFigures now, double seconds) {
        List<String> rates = new ArrayList<>();
        for (int shard = 0; shard < now.localPerShard().size(); shard++) {
            rates.add("%.0f".formatted((on(now, shard) - on(before, shard)) / seconds));
        }
        return String.join("  ", rates);
    }

    private static long on(BankFigures figures, int shard) {
        return figures.localPerShard().get(shard) + figures.branchesPerShard().get(shard);
    }
}
