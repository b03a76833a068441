package io.tributary.bench.sink;

import com.sun.management.OperatingSystemMXBean;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.NodeProcess;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.sink.DdlTreatment;
import io.tributary.sink.Guarantee;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.route.DispatchRules;
import io.tributary.sink.route.TopicExpression;
import io.tributary.sink.run.Sink;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server with wide rows, which stands for the MySQL port of a node, a broker, and sinks in this process. */
final class SinkSite implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final String BROKER_JARS = "tributary.kafka";

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MysqlServer server;
    private final KafkaBrokers brokers;
    private final List<WideRows.Event> events;
    private int sinks;

    /**
     * What sending rows costs.
     *
     * @param cpuSeconds of the whole process
     */
    record Cost(long rows, double seconds, double cpuSeconds) {
        double perSecond() {
            return rows / seconds;
        }

        double perCpuSecond() {
            return rows / cpuSeconds;
        }
    }

    /** A sink that runs. */
    final class Running implements AutoCloseable {
        private final Sink sink;
        private final CompletableFuture<Thread> thread = new CompletableFuture<>();
        private final CompletableFuture<Throwable> end = new CompletableFuture<>();

        private Running(SinkPlan plan) {
            sink = new Sink(new MysqlClient(loop), plan, Clock.SYSTEM);
            threads.execute(() -> {
                thread.complete(Thread.currentThread());
                try {
                    sink.run(peer(), threads);
                    end.complete(new IllegalStateException("ended"));
                } catch (Throwable e) {
                    end.complete(e);
                }
            });
        }

        /** Waits until it has sent and committed this many rows. */
        void awaitRows(long rows) {
            Await.until(
                    () -> rows + " rows, found " + sink.figures().rows() + ", ended " + end.getNow(null),
                    LIMIT,
                    () -> sink.figures().rows() >= rows || end.isDone());
            if (end.isDone()) {
                throw new IllegalStateException("the sink has ended", end.getNow(null));
            }
        }

        @Override
        public void close() {
            thread.join().interrupt();
            end.join();
        }
    }

    /** @param rows in the binlog, a multiple of those of {@link WideRows} */
    SinkSite(int rows) throws SQLException {
        server = MysqlServer.start("wide");
        brokers = broker();
        events = WideRows.of(server);
        try (Sql sql = server.sql()) {
            new RowCopies(sql).upTo(rows);
            sql.execute("CREATE TABLE wide.tick (id BIGINT PRIMARY KEY)");
        }
    }

    /** Starts a broker, also if the current folder is not in the project. */
    static KafkaBrokers broker() {
        if (System.getProperty(BROKER_JARS) == null) {
            System.setProperty(
                    BROKER_JARS,
                    NodeProcess.projectHome().resolve("sink/target/kafka").toString());
        }
        return KafkaBrokers.one();
    }

    List<WideRows.Event> events() {
        return events;
    }

    MysqlServer server() {
        return server;
    }

    String brokers() {
        return brokers.addresses();
    }

    private Peer peer() {
        Endpoint endpoint = Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        return Peer.node(endpoint, SHORT);
    }

    /** Starts a sink of one table from the beginning of the binlog, with topics and a place of its own. */
    Running start(MessageFormat format, Guarantee guarantee, String table) {
        String name = "bench-" + ++sinks;
        return new Running(new SinkPlan(
                name,
                new SinkPlan.Target(
                        Map.of("bootstrap.servers", brokers.addresses(), "compression.type", "lz4"),
                        new SinkPlan.Topics(new TopicExpression(name + "-{schema}.{table}"), 1, (short) 1, true, false),
                        SinkPlan.Target.PROGRESS_TOPIC,
                        Optional.empty()),
                new SinkPlan.Messages(
                        format,
                        DispatchRules.BY_TABLE,
                        new SinkPlan.Selection(
                                one -> one.schema().equals("wide")
                                        && one.table().equals(table),
                                ColumnMasks.NONE),
                        DdlTreatment.NONE,
                        true),
                new SinkPlan.Delivery(
                        guarantee, LargeMessages.ERROR, false, Duration.ZERO, Optional.empty(), Optional.empty()),
                new SinkPlan.Limits(
                        2,
                        64L << 20,
                        new SinkPlan.Commit(Duration.ofMillis(100), 20_000, 32L << 20),
                        4 << 20,
                        new SinkPlan.Timeouts(SHORT, SHORT, Duration.ofMinutes(1)))));
    }

    /** The topic of the newest sink. */
    String topic(String table) {
        return "bench-" + sinks + "-wide." + table;
    }

    /** Work that sends rows. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** Measures it; the CPU time is that of the whole process, with the compiler's threads. */
    static Cost measure(long rows, Work work) throws Exception {
        var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = process.getProcessCpuTime();
        long begin = Clock.SYSTEM.nanoTime();
        work.run();
        double seconds = (Clock.SYSTEM.nanoTime() - begin) / 1e9;
        return new Cost(rows, seconds, (process.getProcessCpuTime() - cpu) / 1e9);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        brokers.close();
        server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
