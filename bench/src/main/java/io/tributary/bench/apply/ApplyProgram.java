package io.tributary.bench.apply;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.apply.Applier;
import io.tributary.apply.ApplyDependency;
import io.tributary.apply.ApplyNames;
import io.tributary.apply.ApplyPlan;
import io.tributary.bench.ProcessUsage;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.node.log.Logging;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.testkit.server.MysqlServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The process of the applier: its CPU is not that of the proxy and of the bench. Does a job for each line of its input, and ends with its input. */
public final class ApplyProgram {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long MOST_BYTES = 16 << 20;
    private static final String COMPILER = "CompilerThre";
    private static final int GROUP = 1000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CompletableFuture<Thread> network = new CompletableFuture<>();
    private final MysqlClient client;

    private final TlsMode tls;

    private ApplyProgram(EventLoopGroup loop, TlsMode tls) {
        this.tls = tls;
        client = new MysqlClient(loop);
        loop.execute(() -> network.complete(Thread.currentThread()));
    }

    /** @param arguments the use of TLS for all connections */
    public static void main(String[] arguments) throws IOException {
        Logging.use();
        ApplyProgram program = new ApplyProgram(
                new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()), TlsMode.valueOf(arguments[0]));
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            System.out.println(program.answer(ApplyJob.parse(line)));
        }
        System.exit(0);
    }

    private String answer(ApplyJob job) {
        try {
            return (job.mode().sessions() == 0 ? oneByOne(job) : apply(job)).line();
        } catch (Exception e) {
            return "failed: " + e;
        }
    }

    /** The CPU so far, and the time, in ns. */
    private record Usage(long process, long network, long compiler, long nanos) {
        ApplyOutcome.Cpu since(Usage before, double transactions) {
            double compiled = (compiler - before.compiler) / 1e3 / transactions;
            return new ApplyOutcome.Cpu(
                    (process - before.process) / 1e3 / transactions - compiled,
                    (network - before.network) / 1e3 / transactions,
                    compiled);
        }
    }

    private Usage usage() {
        double compiler = ProcessUsage.of(ProcessHandle.current().pid()).threadSeconds().entrySet().stream()
                .filter(thread -> thread.getKey().contains(COMPILER))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        return new Usage(
                PROCESS.getProcessCpuTime(),
                THREADS.getThreadCpuTime(network.join().getId()),
                (long) (compiler * 1e9),
                Clock.SYSTEM.nanoTime());
    }

    private Peer peer(Peer.Role role, int port) {
        Endpoint endpoint = Endpoint.of("127.0.0.1", port, MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD)
                .with(tls);
        return new Peer(role, "127.0.0.1:" + port, endpoint, TIMEOUT);
    }

    // ---- the applier

    private ApplyOutcome apply(ApplyJob job) throws Exception {
        Applier applier = new Applier(client, plan(job), Clock.SYSTEM);
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Usage before = usage();
        threads.execute(() -> {
            reader.complete(Thread.currentThread());
            try {
                applier.run(peer(Peer.Role.NODE, job.sourcePort()), threads);
            } catch (Throwable e) {
                end.complete(e);
            }
        });
        long readerBefore = THREADS.getThreadCpuTime(reader.get().getId());
        long first = await(applier, end, 1, Long.MAX_VALUE);
        long begun = applier.figures().transactions();
        long last = await(applier, end, job.transactions(), first + TimeUnit.SECONDS.toNanos(job.seconds()));
        long done = applier.figures().transactions();
        long readerCpu = THREADS.getThreadCpuTime(reader.get().getId()) - readerBefore;
        Usage after = usage();
        reader.get().interrupt();
        var unused = end.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        return new ApplyOutcome(
                (done - begun) * 1e9 / (last - first),
                after.since(before, (double) done),
                (double) readerCpu / (after.nanos() - before.nanos()),
                applier.figures().retries());
    }

    private ApplyPlan plan(ApplyJob job) {
        ApplyMode mode = job.mode();
        ApplyPlan.Limits limits = new ApplyPlan.Limits(mode.sessions(), mode.batch(), GROUP, MOST_BYTES);
        ApplyPlan.Settings settings =
                new ApplyPlan.Settings(mode.backend(), mode.order(), ApplyDependency.WRITESET, false, limits);
        return new ApplyPlan(
                "bench", peer(Peer.Role.TARGET, job.targetPort()), ApplyNames.ALL, Optional.empty(), settings);
    }

    /** Waits for a number of transactions, or for a time; returns the time. */
    private static long await(Applier applier, CompletableFuture<Throwable> end, long transactions, long until) {
        long now = Clock.SYSTEM.nanoTime();
        while (applier.figures().transactions() < transactions && now < until) {
            if (end.isDone()) {
                throw new IllegalStateException("the applier has ended", end.join());
            }
            LockSupport.parkNanos(POLL_NANOS);
            now = Clock.SYSTEM.nanoTime();
        }
        return now;
    }

    // ---- one session, statement by statement

    private ApplyOutcome oneByOne(ApplyJob job) {
        try (SqlSession session = SqlSession.open(client, peer(Peer.Role.TARGET, job.targetPort()))) {
            Usage before = usage();
            long until = before.nanos() + TimeUnit.SECONDS.toNanos(job.seconds());
            int done = 0;
            while (done < job.transactions() && Clock.SYSTEM.nanoTime() < until) {
                session.run("BEGIN");
                List<String> statements = ApplyLoad.statements(done++);
                session.run(statements.toArray(String[]::new));
                session.run("COMMIT");
            }
            Usage after = usage();
            return new ApplyOutcome(
                    done * 1e9 / (after.nanos() - before.nanos()), after.since(before, (double) done), 0, 0);
        }
    }
}
