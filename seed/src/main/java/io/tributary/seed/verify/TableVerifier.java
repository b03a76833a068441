package io.tributary.seed.verify;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.table.LogicalTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Compares one table. */
final class TableVerifier {
    private static final int MOST_SUSPECTS = 1_000;
    private static final int MOST_LOCKED = 50;
    private static final int DEEPEST = 60;
    private static final int LEAST_CHUNK = 100;
    private static final long LONG_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long SHORT_NANOS = LONG_NANOS / 4;
    private static final double SECOND_NANOS = 1e9;

    private final TableReader reader;
    private final StreamPosition position;
    private final VerifyOptions options;
    private final VerifyListener listener;
    private final MysqlClient client;
    private final Clock clock;
    private final Recheck recheck;
    private final RowComparison rows;
    /** Keys by their conditions. */
    private final Map<String, RowKey> suspects = new LinkedHashMap<>();

    private final long begin;

    private long chunkRows;
    private long read; // rows on the side that has more, also those of ranges that are divided
    private long compared;
    private long chunks;
    private long findings;

    TableVerifier(TableReader reader, StreamPosition position, Verifier.Work work) {
        this.reader = reader;
        this.position = position;
        this.options = work.options();
        this.listener = work.listener();
        this.client = work.client();
        this.clock = work.clock();
        this.recheck = new Recheck(reader, position, options.limit());
        this.rows = new RowComparison(reader, options.mode().showsValues());
        this.begin = clock.nanoTime();
        this.chunkRows = options.volume().chunk();
    }

    private TableName name() {
        return reader.table().name();
    }

    /** Compares all chunks or, for a sample, some of them. */
    TableResult run() {
        LogicalTable table = reader.table();
        if (table.key().isEmpty()) {
            whole();
        } else {
            inChunks();
        }
        return new TableResult(name(), compared, chunks, findings, !isFull());
    }

    private boolean isFull() {
        return findings >= options.volume().findings();
    }

    private void whole() {
        pause();
        TableReader.Sides sides = reader.compare(ChunkRange.ALL);
        count(sides);
        if (!sides.areEqual()) {
            Recheck.Outcome outcome = recheck.run(List.of(ChunkRange.ALL.condition()));
            outcome.different().forEach(all -> found(ofTable(Finding.Kind.TABLE)));
            outcome.busy().forEach(all -> found(ofTable(Finding.Kind.BUSY)));
        }
    }

    private Finding ofTable(Finding.Kind kind) {
        return Finding.of(name(), kind, List.of());
    }

    private void inChunks() {
        Optional<RowKey> after = Optional.empty();
        for (long number = 0; ; number++) {
            pause();
            Optional<RowKey> bound = reader.bound(new ChunkRange(after, Optional.empty()), chunkRows);
            if (bound.equals(after)) { // a key that two collations order in different ways: the rest is one range
                bound = Optional.empty();
            }
            if (isInSample(number)) {
                long now = clock.nanoTime();
                check(new ChunkRange(after, bound), 0);
                adapt(clock.nanoTime() - now);
            } else {
                listener.chunk(name(), 0);
            }
            if (bound.isEmpty() || isFull()) {
                break;
            }
            after = bound;
        }
        recheckSuspects();
    }

    /** Evenly spread over the table, always the same ones, the first one included. */
    private boolean isInSample(long number) {
        return number == 0
                || number * options.volume().sample() / 100
                        != (number - 1) * options.volume().sample() / 100;
    }

    private void pause() {
        awaitRate();
        if (options.volume().maxLoad() > 0) {
            reader.servers().awaitLoad(options.volume().maxLoad(), reader.shards(), clock);
        }
    }

    /** Waits until the rows that were read so far are not more than the rate allows; an interrupt ends it. */
    private void awaitRate() {
        int rate = options.volume().rate();
        if (rate > 0) {
            long due = begin + (long) (SECOND_NANOS * ((double) read / rate));
            for (long left = due - clock.nanoTime(); left > 0; left = due - clock.nanoTime()) {
                LockSupport.parkNanos(left);
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
        }
    }

    /** Not for a sample, so that its chunks are the same each time. */
    private void adapt(long nanos) {
        if (options.volume().sample() < 100) {
            return;
        }
        if (nanos > LONG_NANOS) {
            chunkRows = Math.max(Math.min(LEAST_CHUNK, options.volume().chunk()), chunkRows / 2);
        } else if (nanos < SHORT_NANOS) {
            chunkRows = Math.min(options.volume().chunk(), chunkRows * 2);
        }
    }

    private void count(TableReader.Sides sides) {
        compared += sides.replica().rows();
        chunks++;
        listener.chunk(name(), sides.replica().rows());
    }

    /** A range of which a shard has many more rows than the replica is divided. */
    private void check(ChunkRange range, int depth) {
        if (isFull()) {
            return;
        }
        awaitRate();
        TableReader.Sides sides = reader.compare(range);
        read += sides.most();
        if (!sides.areEqual() && sides.most() > 2L * options.volume().chunk() && depth < DEEPEST) {
            Optional<RowKey> middle = reader.bound(range, sides.most() / 2, sides);
            if (middle.isPresent() && !middle.equals(range.after()) && !middle.equals(range.upTo())) {
                check(range.before(middle.get()), depth + 1);
                check(range.behind(middle.get()), depth + 1);
                return;
            }
        }
        count(sides);
        if (!sides.areEqual()) {
            for (RowKey key : reader.unequalKeys(range)) {
                suspects.put(key.condition(), key);
                if (suspects.size() == MOST_SUSPECTS) {
                    recheckSuspects();
                }
            }
        }
    }

    private void recheckSuspects() {
        if (suspects.isEmpty() || isFull()) {
            return;
        }
        Recheck.Outcome outcome = recheck.run(List.copyOf(suspects.keySet()));
        decideAll(keys(outcome.different()));
        if (options.mode().hasLock()) {
            decideAll(keys(outcome.busy()));
        } else {
            keys(outcome.busy()).forEach(this::busy);
        }
        suspects.clear();
    }

    private void decideAll(List<RowKey> keys) {
        for (int from = 0; from < keys.size() && !isFull(); from += MOST_LOCKED) {
            decide(keys.subList(from, Math.min(keys.size(), from + MOST_LOCKED)));
        }
    }

    private List<RowKey> keys(List<String> conditions) {
        return conditions.stream().map(suspects::get).toList();
    }

    private void busy(RowKey key) {
        listener.found(Finding.of(name(), key, Finding.Kind.BUSY, List.of(), List.of()));
    }

    private void decide(List<RowKey> keys) {
        if (!options.mode().hasLock()) {
            report(keys);
            return;
        }
        List<String> conditions = keys.stream().map(RowKey::condition).toList();
        if (!new Confirmation(reader, position).run(conditions, different -> report(keys(different)))) {
            keys.forEach(this::busy);
        }
    }

    private void report(List<RowKey> keys) {
        rows.findings(keys).forEach(this::found);
        if (options.mode().repair() == VerifyOptions.Repair.NONE || keys.isEmpty()) {
            return;
        }
        List<String> statements = new RowRepair(rows).statements(keys);
        if (options.mode().repair() == VerifyOptions.Repair.RUN) {
            try (SqlSession session =
                    SqlSession.open(client, reader.replica().session().peer())) {
                RowRepair.run(session, statements);
            }
        }
        listener.repaired(name(), RowRepair.PREPARE, statements);
    }

    private void found(Finding finding) {
        findings++;
        listener.found(finding);
    }
}
