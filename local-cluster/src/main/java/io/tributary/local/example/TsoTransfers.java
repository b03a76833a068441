package io.tributary.local.example;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.tso.TsoClient;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * XA transfers between shards, each with a commit timestamp of the TSO service. They show all that a coordinator has to do for
 * {@code order.mode=tso}; see {@link #transfer}.
 */
public final class TsoTransfers {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final TransferOptions options;
    private final MysqlClient client;
    private final String run;

    private TsoTransfers(TransferOptions options, MysqlClient client) {
        this.options = options;
        this.client = client;
        this.run = Long.toString(System.nanoTime(), 36);
    }

    /** The outcomes of the transfers of one worker or of all workers. */
    record Figures(long committed, long rolledBack) {
        Figures plus(Figures other) {
            return new Figures(committed + other.committed, rolledBack + other.rolledBack);
        }
    }

    /** Exit status: 0 the sum of the balances is unchanged, 1 it has changed, 2 wrong usage. */
    public static void main(String[] arguments) throws Exception {
        TransferOptions options;
        try {
            options = TransferOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(TransferOptions.USAGE);
            System.exit(2);
            return;
        }
        System.exit(run(options, System.out) ? 0 : 1);
    }

    /** Runs the transfers; returns whether the sum of the balances is unchanged. */
    static boolean run(TransferOptions options, PrintStream out) throws InterruptedException, ExecutionException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (TsoClient tso = TsoClient.of(options.tso(), TIMEOUT)) {
            TsoTransfers transfers = new TsoTransfers(options, new MysqlClient(group));
            long before = transfers.sum(true);
            Figures figures = transfers.work(tso);
            long after = transfers.sum(false);
            out.println(figures.committed() + " transfers committed, " + figures.rolledBack() + " rolled back, in "
                    + options.seconds() + " s; sum of the balances before " + before + ", after " + after);
            return before == after;
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private long sum(boolean prepares) {
        long sum = 0;
        for (TransferBranch shard : connect()) {
            try (shard) {
                if (prepares) {
                    shard.prepareTables();
                }
                sum += shard.sum();
            }
        }
        return sum;
    }

    private List<TransferBranch> connect() {
        List<TransferBranch> shards = new ArrayList<>();
        for (HostPort shard : options.shards()) {
            shards.add(new TransferBranch(
                    client, Endpoint.of(shard.host(), shard.port(), options.user(), options.password())));
        }
        return shards;
    }

    private Figures work(TsoClient tso) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(options.workers());
        try {
            List<Future<Figures>> workers = new ArrayList<>();
            for (int i = 0; i < options.workers(); i++) {
                int worker = i;
                workers.add(threads.submit(() -> worker(tso, worker)));
            }
            Figures all = new Figures(0, 0);
            for (Future<Figures> worker : workers) {
                all = all.plus(worker.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    private Figures worker(TsoClient tso, int worker) {
        Random random = new Random(worker);
        List<TransferBranch> shards = connect();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds());
        Figures figures = new Figures(0, 0);
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            int from = random.nextInt(shards.size());
            int to = (from + 1 + random.nextInt(shards.size() - 1)) % shards.size();
            String gtrid = "example-" + run + "-" + worker + "-" + i;
            boolean isDone = transfer(tso, gtrid, random, shards.get(from), shards.get(to));
            figures = figures.plus(isDone ? new Figures(1, 0) : new Figures(0, 1));
        }
        shards.forEach(TransferBranch::close);
        return figures;
    }

    /** Runs one transfer; returns whether it was committed. */
    private static boolean transfer(
            TsoClient service, String gtrid, Random random, TransferBranch from, TransferBranch to) {
        long tso = 0;
        try {
            int amount = 1 + random.nextInt(10);
            from.begin(gtrid, "from", random.nextInt(TransferBranch.ACCOUNTS), -amount);
            to.begin(gtrid, "to", random.nextInt(TransferBranch.ACCOUNTS), amount);
            tso = service.next(); // after the last lock was taken
            from.mark(tso);
            to.mark(tso);
            from.prepare();
            to.prepare();
            if (service.awaitTurn(tso)) {
                from.commit();
                to.commit();
                return true;
            }
        } catch (MysqlServerError e) { // a deadlock or a lock timeout: others wait for this timestamp
            if (tso != 0) {
                service.giveUp(List.of(tso));
            }
        } catch (TributaryException e) { // without an answer, the transfer must not commit
            System.err.println(e.line());
        }
        from.rollBack();
        to.rollBack();
        return false;
    }
}
