package io.tributary.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.Checkpoints;
import io.tributary.seed.checkpoint.ShardPositions;
import io.tributary.seed.copy.Copy;
import io.tributary.seed.replay.Replay;
import io.tributary.seed.replay.ReplayConfig;
import io.tributary.seed.replay.ReplayListener;
import io.tributary.seed.replay.ReplayResult;
import io.tributary.seed.replica.TargetProgress;
import io.tributary.seed.replica.TargetSchema;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.seed.table.ExactTables;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableCatalog;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The rounds of a seed. A round copies the tables that the target lacks, then replays the stream from where the target is up to the first checkpoint
 * that contains everything that the shards had executed when the copy ended. A table that is altered meanwhile is dropped and copied in the next
 * round. The last round copies nothing. For one thread.
 */
final class SeedRounds {
    private static final Duration STREAM_LIMIT = Duration.ofMinutes(10);
    private static final int MOST_ROUNDS = 100;

    private final Seed seed;
    private final Sessions sessions;
    private final TargetProgress progress;
    private final TargetSchema schema;
    private final SeedCatalog catalog;
    private final TableCopies copies;
    private final Replay replay;
    private final Set<TableName> dropped = new HashSet<>();
    private final Set<String> shown = new HashSet<>();

    /** Sessions that are open during all rounds. */
    record Sessions(
            StreamDefinitions definitions,
            SqlSession node,
            SqlSession target,
            Checkpoints stream,
            ShardPositions shards) {}

    /** What a round copies: the tables that the target lacks, and how the stream defines them. */
    private record Plan(TableCatalog catalog, List<LogicalTable> seeded, List<LogicalTable> wanted) {}

    /** @param writers opens the sessions that write the target */
    SeedRounds(Seed seed, Sessions sessions, TargetProgress progress, TargetWriters writers) {
        this.seed = seed;
        this.sessions = sessions;
        this.progress = progress;
        this.schema = new TargetSchema(sessions.target());
        Seed.Environment environment = seed.environment();
        SeedSettings settings = seed.settings();
        this.catalog = new SeedCatalog(
                environment.client(),
                new SeedCatalog.Servers(seed.servers().shards(), seed.source()),
                new SeedCatalog.Scope(settings.tables(), seed.names()),
                sessions.node(),
                sessions.definitions());
        Copy copy =
                new Copy(environment.client(), writers, settings.copy(), environment.clock(), environment.threads());
        this.copies = new TableCopies(seed, sessions, progress, copy);
        long serverId = Long.parseLong(sessions.target().value("SELECT @@GLOBAL.server_id"));
        UUID uuid = UUID.fromString(sessions.target().value("SELECT @@GLOBAL.server_uuid"));
        this.replay = new Replay(
                environment.client(),
                seed.source(),
                writers,
                ReplayConfig.of(serverId, uuid).withSessions(settings.sessions()),
                environment.clock());
    }

    /** Runs all rounds and returns the tables of the last one. */
    List<LogicalTable> run() {
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            dropped.addAll(copies.dropDirty());
            Checkpoint before = sessions.stream().newest();
            sessions.shards().awaitVisible(before, STREAM_LIMIT);
            Plan plan = plan();
            Set<TableName> outdated = copies.dropOutdated(plan.seeded());
            dropped.addAll(outdated);
            boolean isAltered = !sessions.definitions()
                    .changed(plan.wanted(), before.transactions())
                    .isEmpty();
            if (isAltered || !outdated.isEmpty()) {
                continue; // the definitions must be those of the checkpoint
            }
            boolean isLast = plan.wanted().isEmpty() && round > 1;
            if (isLast) {
                views(plan.catalog());
            } else if (!copied(plan, before, round)) {
                continue;
            }
            replay(plan.seeded(), sessions.stream().await(sessions.shards().executed(), STREAM_LIMIT));
            progress.copied();
            dropped.clear();
            if (isLast && progress.dirty().isEmpty()) {
                return plan.seeded();
            }
        }
        throw sessions.target()
                .unfit(
                        ErrorCode.SEED_FAILED,
                        "expected tables that are not altered all the time, found that each of " + MOST_ROUNDS
                                + " rounds had to drop some");
    }

    private Plan plan() {
        SeedCatalog.Found found = catalog.read();
        List<LogicalTable> seeded = found.seeded();
        Set<TableName> lacking = new LinkedHashSet<>(progress.copying().keySet());
        Set<TableName> existing = schema.tables();
        seeded.forEach(table -> {
            if (!existing.contains(table.name())) {
                lacking.add(table.name());
            }
        });
        Set<TableName> wanted = ExactTables.withConnected(seeded, lacking);
        return new Plan(
                found.all(),
                seeded,
                seeded.stream().filter(table -> wanted.contains(table.name())).toList());
    }

    // ---- copy

    /**
     * Copies, unless tables are altered meanwhile so that a server refuses a statement: these are dropped, and copied in the next round.
     *
     * @return whether all are copied
     */
    private boolean copied(Plan plan, Checkpoint before, int round) {
        try {
            copy(plan, before, round);
            return true;
        } catch (TributaryException e) {
            boolean isOfServer = e.getCause() instanceof MysqlServerError || e.code() == ErrorCode.SEED_FAILED;
            if (!isOfServer) {
                throw e;
            }
            Checkpoint now = sessions.stream().await(sessions.shards().executed(), STREAM_LIMIT);
            Set<TableName> altered = sessions.definitions().changed(plan.wanted(), now.transactions());
            if (altered.isEmpty()) {
                throw lagging(e);
            }
            progress.dirty(altered);
            step("Copied again, because they were altered during the copy: " + altered);
            return false;
        }
    }

    private static TributaryException lagging(TributaryException e) {
        boolean lacksColumn = e.getCause() instanceof MysqlServerError error && error.is(MysqlError.ER_BAD_FIELD_ERROR);
        return lacksColumn
                ? new TributaryException(
                        e.code(),
                        e.getMessage()
                                + " | an ALTER TABLE that the stream contains has not run on this shard yet: run it"
                                + " there, then run the seed again",
                        e)
                : e;
    }

    private void copy(Plan plan, Checkpoint before, int round) {
        for (SchemaDefault each : plan.catalog().schemas()) {
            if (seed.settings().tables().test(new TableName(each.schema(), ""))) {
                schema.create(each);
            }
        }
        Set<TableName> exact = ExactTables.of(plan.catalog().tables());
        List<LogicalTable> others = plan.wanted().stream()
                .filter(table -> exact.contains(table.name()))
                .toList();
        List<LogicalTable> inChunks = plan.wanted().stream()
                .filter(table -> !exact.contains(table.name()))
                .toList();
        seed.environment()
                .listener()
                .step("Round " + round + ": copying " + plan.wanted().size() + " tables"
                        + (others.isEmpty() ? "" : ", " + others.size() + " of them from a snapshot"));
        SeedProgress done = new SeedProgress(seed.environment().listener());
        copies.copySnapshot(others, this::renewed, done);
        copies.copyChunks(inChunks, before, done);
        seed.environment().listener().step("Copied " + done.rows() + " rows, " + done.bytes() + " bytes");
    }

    private List<LogicalTable> renewed(List<LogicalTable> tables) {
        Set<TableName> names = new HashSet<>();
        tables.forEach(table -> names.add(table.name()));
        return plan().seeded().stream()
                .filter(table -> names.contains(table.name()))
                .toList();
    }

    private void views(TableCatalog catalog) {
        catalog.leftOut().forEach(text -> step("Left out: " + text));
        Set<TableName> existing = schema.tables();
        catalog.views().forEach(view -> {
            if (seed.settings().tables().test(view.name()) && !existing.contains(view.name())) {
                schema.create(view).ifPresent(error -> step("Left out: view " + view.name() + ": " + error));
            }
        });
    }

    private void step(String text) {
        if (shown.add(text)) {
            seed.environment().listener().step(text);
        }
    }

    // ---- replay

    private void replay(List<LogicalTable> tables, Checkpoint end) {
        GtidSet executed = executed();
        Set<TableName> absent = new HashSet<>(dropped);
        List<TableName> names = tables.stream().map(LogicalTable::name).toList();
        absent.addAll(names);
        absent.addAll(sessions.definitions().tables(sessions.definitions().contiguous(executed), names));
        absent.removeAll(schema.tables());
        SeedListener listener = seed.environment().listener();
        long expected = end.executed().minus(executed).count();
        listener.step(
                "Replaying up to transaction " + end.transactions() + " of the stream: " + expected + " transactions");
        ReplayResult result = replay.run(
                end.executed(),
                new StreamScope(seed.settings().tables(), progress.copying(), absent),
                new ReplayListener() {
                    @Override
                    public void dirty(Set<TableName> changed, long transaction) {
                        progress.dirty(changed);
                        listener.step("Copied again, because a statement changed it in transaction " + transaction
                                + ": " + changed);
                    }

                    @Override
                    public void applied(long transactions, long bytes) {
                        listener.replayed(transactions, expected);
                    }
                },
                seed.environment().threads());
        listener.step("Replayed " + result.transactions() + " transactions");
    }

    private GtidSet executed() {
        return GtidSet.parse(sessions.target().value("SELECT @@GLOBAL.gtid_executed"));
    }
}
