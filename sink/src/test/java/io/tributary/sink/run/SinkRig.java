package io.tributary.sink.run;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.sink.SinkPlan;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A MySQL server, which stands for the MySQL port of a node, and brokers. */
final class SinkRig implements AutoCloseable {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MysqlServer source;
    private final KafkaBrokers brokers;
    private final List<Running> runs = new ArrayList<>();

    SinkRig(KafkaBrokers brokers) {
        this.brokers = brokers;
        this.source = source("source");
    }

    static MysqlServer source(String name) {
        return MysqlServer.start(MysqlOptions.named(name).with("--binlog-row-metadata=FULL"));
    }

    MysqlServer source() {
        return source;
    }

    KafkaBrokers brokers() {
        return brokers;
    }

    SinkPlans plans() {
        return new SinkPlans(brokers.addresses());
    }

    /** Ends runs, removes schemas, topics and places that earlier tests have left, so that a stream begins after them. */
    void clear() throws Exception {
        for (Running one : runs) {
            one.stop();
        }
        runs.clear();
        try (Sql sql = source.sql()) {
            for (String schema : List.of("shop", "shop2")) {
                sql.execute("DROP DATABASE IF EXISTS " + schema);
            }
            sql.execute("RESET MASTER");
        }
        try (Admin admin = admin()) {
            List<String> topics = admin.listTopics().names().get().stream().toList();
            admin.deleteTopics(topics).all().get();
            Await.until(
                    "the end of topics",
                    LIMIT,
                    () -> admin.listTopics().names().get().isEmpty());
        }
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", brokers.addresses()));
    }

    /** A run in a thread of its own. */
    final class Running {
        private final Sink sink;
        private final CompletableFuture<Throwable> end = new CompletableFuture<>();
        private volatile Thread thread;

        private Running(Sink sink) {
            this.sink = sink;
        }

        Sink sink() {
            return sink;
        }

        boolean hasEnded() {
            return end.isDone();
        }

        /** The error that ended it. */
        Throwable failure() throws Exception {
            return end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        TributaryException failure(ErrorCode code) throws Exception {
            Throwable found = failure();
            if (found instanceof TributaryException own && own.code() == code) {
                return own;
            }
            throw new AssertionError("expected " + code, found);
        }

        /** Interrupts it and waits for its end. */
        void stop() throws Exception {
            Await.until("a thread", LIMIT, () -> thread != null || end.isDone());
            if (!end.isDone()) {
                thread.interrupt();
            }
            Throwable unused = failure();
        }

        /** Waits until all that the source has executed is committed in Kafka. */
        void awaitAll() {
            Await.until(() -> "all transactions: " + sink.position() + " " + end, LIMIT, () -> {
                if (end.isDone()) {
                    throw new IllegalStateException("the run has ended", end.get());
                }
                long last = last();
                return sink.position()
                        .committed()
                        .filter(one -> one.gtid().gno() >= last)
                        .isPresent();
            });
        }
    }

    /** The number of the source's last transaction. */
    long last() throws SQLException {
        String executed = source.gtidExecuted();
        return Long.parseLong(executed.replaceAll("(?s).*[:-]", ""));
    }

    /** A server whose rows are sent before the stream. */
    static Peer snapshot(int port) {
        return Peer.snapshot(
                Endpoint.of("127.0.0.1", port, MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD), Duration.ofSeconds(30));
    }

    Sink sink(SinkPlan plan) {
        return sink(plan, Clock.SYSTEM);
    }

    Sink sink(SinkPlan plan, Clock clock) {
        return new Sink(new MysqlClient(loop), plan, clock);
    }

    Running start(SinkPlan plan) {
        return start(sink(plan), source);
    }

    Running start(Sink sink, MysqlServer from) {
        Running made = new Running(sink);
        runs.add(made);
        Endpoint endpoint = Endpoint.of(from.host(), from.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        threads.execute(() -> {
            made.thread = Thread.currentThread();
            try {
                sink.run(Peer.node(endpoint, Duration.ofSeconds(30)), threads);
                made.end.complete(new IllegalStateException("ended without an error"));
            } catch (Throwable e) {
                made.end.complete(e);
            } finally {
                boolean unused = Thread.interrupted();
            }
        });
        return made;
    }

    /** Begins a new run after each error, as a node does, until {@link Kept#stop}. */
    final class Kept {
        private final Sink sink;
        private final Set<ErrorCode> errors = ConcurrentHashMap.newKeySet();
        private final AtomicReference<Running> current = new AtomicReference<>();
        private final CompletableFuture<Void> end;
        private volatile boolean isStopped;

        private Kept(Sink sink) {
            this.sink = sink;
            this.end = CompletableFuture.runAsync(this::run, threads);
        }

        private void run() {
            while (!isStopped) {
                current.set(start(sink, source));
                try {
                    Throwable failure = current.get().end.join();
                    if (failure instanceof TributaryException own) {
                        errors.add(own.code());
                    } else if (!isStopped) {
                        throw new IllegalStateException(failure);
                    }
                } finally {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                }
            }
        }

        Sink sink() {
            return sink;
        }

        Set<ErrorCode> errors() {
            return errors;
        }

        void awaitAll() throws SQLException {
            long last = last();
            Await.until(
                    () -> "all transactions: " + sink.position() + " " + errors,
                    LIMIT,
                    () -> sink.position()
                            .committed()
                            .filter(one -> one.gtid().gno() >= last)
                            .isPresent());
        }

        void stop() throws Exception {
            isStopped = true;
            while (!end.isDone()) {
                Running run = current.get();
                if (run != null) {
                    run.stop();
                }
                Thread.onSpinWait();
            }
            end.join();
        }
    }

    Kept keep(SinkPlan plan) {
        return new Kept(sink(plan));
    }

    /** All committed messages of a topic, partition by partition; none if there is no such topic. It waits for the end of open transactions. */
    List<Received> read(String topic) throws Exception {
        return read(topic, IsolationLevel.READ_UNCOMMITTED);
    }

    /** As the other method, but only the messages before the first open transaction, without waiting for its end. */
    List<Received> readNow(String topic) throws Exception {
        return read(topic, IsolationLevel.READ_COMMITTED);
    }

    /** @param end up to which messages are read */
    private List<Received> read(String topic, IsolationLevel end) throws Exception {
        List<Received> all = new ArrayList<>();
        try (Admin admin = admin();
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers",
                                brokers.addresses(),
                                "isolation.level",
                                "read_committed",
                                "auto.offset.reset",
                                "earliest"),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            if (!admin.listTopics().names().get().contains(topic)) {
                return all;
            }
            int partitions = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size();
            for (int partition = 0; partition < partitions; partition++) {
                TopicPartition one = new TopicPartition(topic, partition);
                long last = admin.listOffsets(Map.of(one, OffsetSpec.latest()), new ListOffsetsOptions(end))
                        .partitionResult(one)
                        .get()
                        .offset();
                consumer.assign(List.of(one));
                consumer.seekToBeginning(List.of(one));
                long deadline = Clock.SYSTEM.nanoTime() + LIMIT.toNanos();
                while (consumer.position(one) < last) {
                    consumer.poll(Duration.ofMillis(100)).forEach(record -> all.add(Received.of(record)));
                    if (Clock.SYSTEM.nanoTime() - deadline > 0) {
                        throw new IllegalStateException("expected " + last + " in " + one);
                    }
                }
            }
        }
        return all;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        source.close();
        brokers.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
