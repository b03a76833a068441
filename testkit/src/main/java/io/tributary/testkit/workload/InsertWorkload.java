package io.tributary.testkit.workload;

import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * A workload of local transactions that insert rows with unique ids, into {@code inserts.written} of the busy shards: many tiny ones, or
 * few large ones, or one busy shard beside idle ones. {@code at_micros} is the client's clock just before the commit.
 */
public final class InsertWorkload implements Workload {
    public static final String SCHEMA = "inserts";

    private final List<MysqlServer> shards;
    private final InsertOptions options;
    private final List<Integer> busy;
    private final Load load;
    private final AtomicLong nextId = new AtomicLong(1);
    private final LongAdder committed = new LongAdder();

    public InsertWorkload(List<MysqlServer> shards, long seed, InsertOptions options) {
        this.shards = List.copyOf(shards);
        this.options = options;
        this.busy = options.busy().isEmpty()
                ? IntStream.range(0, shards.size()).boxed().toList()
                : options.busy();
        this.load = new Load("inserts", options.threads(), options.perSecond(), number -> new Writer(seed, number));
    }

    @Override
    public void prepare() throws SQLException {
        for (MysqlServer shard : shards) {
            shard.execute(
                    "CREATE DATABASE inserts",
                    "CREATE TABLE inserts.written (id BIGINT PRIMARY KEY, at_micros BIGINT NOT NULL, "
                            + "body MEDIUMBLOB NOT NULL)");
        }
    }

    @Override
    public Load load() {
        return load;
    }

    /** The number of transactions committed since the start; may be called at any time. */
    public long committed() {
        return committed.sum();
    }

    private final class Writer implements Load.Worker {
        private final Random random;
        private final List<ShardSession> sessions;

        Writer(long seed, int number) {
            this.random = new Random(seed * 31 + number);
            String[] setup = options.sessionSetup().isEmpty() ? new String[0] : new String[] {options.sessionSetup()};
            this.sessions = busy.stream()
                    .map(shard -> new ShardSession(shards.get(shard), setup))
                    .toList();
        }

        @Override
        public void step() throws SQLException {
            byte[] body = new byte[options.rowBytes()];
            StringJoiner rows = new StringJoiner(",", "INSERT INTO inserts.written VALUES ", "");
            for (int i = 0; i < options.rows(); i++) {
                random.nextBytes(body);
                rows.add("(" + nextId.getAndIncrement() + "," + Clock.SYSTEM.epochMicros() + ",X'"
                        + HexFormat.of().formatHex(body) + "')");
            }
            sessions.get(random.nextInt(sessions.size())).run(rows.toString());
            committed.increment();
        }

        @Override
        public void close() {
            sessions.forEach(ShardSession::close);
        }
    }
}
