package io.tributary.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.Checkpoints;
import io.tributary.seed.checkpoint.ShardPositions;
import io.tributary.seed.copy.Copy;
import io.tributary.seed.copy.CopyConfig;
import io.tributary.seed.copy.SnapshotCopy;
import io.tributary.seed.replay.Replay;
import io.tributary.seed.replay.ReplayConfig;
import io.tributary.seed.replay.ReplayListener;
import io.tributary.seed.replay.ReplayResult;
import io.tributary.seed.replica.TargetProgress;
import io.tributary.seed.replica.TargetSchema;
import io.tributary.seed.session.SqlNames;
import io.tributary.seed.session.SqlSession;
import io.tributary.seed.table.ExactTables;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * The rounds of a seed. A round copies the tables that the target lacks, then replays the stream from where the target is up to the first checkpoint
 * that contains everything that the shards had executed when the copy ended. A table that is altered meanwhile is dropped and copied in the next
 * round. The rounds end when the target lacks no table. For one thread.
 */
final class SeedRounds {
    private static final Duration STREAM_LIMIT = Duration.ofMinutes(10);
    /** Writers of the locked tables wait as long. */
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);

    private static final int MOST_ROUNDS = 100;
    private static final int STATEMENT_BYTES = 1 << 20;

    private final Seed seed;
    private final Sessions sessions;
    private final TargetProgress progress;
    private final TargetSchema schema;
    private final Copy copy;
    private final Replay replay;
    private final Set<String> shown = new HashSet<>();

    /** Sessions that are open during all rounds. */
    record Sessions(SqlSession node, SqlSession target, Checkpoints stream, ShardPositions shards) {}

    SeedRounds(Seed seed, Sessions sessions, TargetProgress progress) {
        this.seed = seed;
        this.sessions = sessions;
        this.progress = progress;
        this.schema = new TargetSchema(sessions.target());
        Seed.Environment environment = seed.environment();
        SeedSettings settings = seed.settings();
        this.copy = new Copy(
                environment.client(),
                seed.servers().target(),
                new CopyConfig(
                        settings.workers(),
                        settings.workers(),
                        settings.throttle().bytesPerSecond(),
                        settings.throttle().mostRunning(),
                        STATEMENT_BYTES),
                environment.clock(),
                environment.threads());
        this.replay = new Replay(
                environment.client(),
                seed.source(),
                seed.servers().target(),
                ReplayConfig.of(serverId(), serverUuid()).withSessions(settings.sessions()),
                environment.clock());
    }

    private long serverId() {
        return Long.parseLong(sessions.target().value("SELECT @@GLOBAL.server_id"));
    }

    private UUID serverUuid() {
        return UUID.fromString(sessions.target().value("SELECT @@GLOBAL.server_uuid"));
    }

    /** Runs all rounds and returns the tables of the last one. */
    List<LogicalTable> run() {
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            dropDirty();
            Checkpoint before = sessions.stream().newest();
            sessions.shards().awaitVisible(before, STREAM_LIMIT);
            TableCatalog catalog = catalog();
            List<LogicalTable> tables = seeded(catalog);
            List<LogicalTable> wanted = wanted(tables);
            if (wanted.isEmpty() && round > 1) {
                views(catalog);
                return tables;
            }
            if (copied(catalog, wanted, round)) {
                Checkpoint end = sessions.stream().await(sessions.shards().executed(), STREAM_LIMIT);
                replay(tables, end);
                progress.copied();
            }
        }
        throw sessions.target()
                .unfit(
                        ErrorCode.SEED_FAILED,
                        "expected tables that are not altered all the time, found that each of " + MOST_ROUNDS
                                + " rounds had to drop some");
    }

    private TableCatalog catalog() {
        return TableCatalog.read(
                seed.environment().client(), sessions.node(), seed.servers().shards(), seed.names());
    }

    private List<LogicalTable> seeded(TableCatalog catalog) {
        return catalog.tables().stream()
                .filter(table -> seed.settings().tables().test(table.name()))
                .toList();
    }

    /**
     * Copies, unless tables are altered meanwhile so that a shard refuses a SELECT: these are dropped and copied in the next round.
     *
     * @return whether all are copied
     */
    private boolean copied(TableCatalog catalog, List<LogicalTable> wanted, int round) {
        try {
            copy(catalog, wanted, round);
            return true;
        } catch (TributaryException e) {
            boolean isAltered = e.getCause() instanceof MysqlServerError error
                    && error.is(MysqlError.ER_BAD_FIELD_ERROR, MysqlError.ER_NO_SUCH_TABLE);
            Set<TableName> altered = isAltered ? altered(wanted) : Set.of();
            if (altered.isEmpty()) {
                throw e;
            }
            progress.dirty(altered);
            step("Copied again, because they were altered during the copy: " + altered);
            return false;
        }
    }

    /** The tables whose definition is another one when the stream contains everything that the shards have executed. */
    private Set<TableName> altered(List<LogicalTable> tables) {
        sessions.stream().await(sessions.shards().executed(), STREAM_LIMIT);
        Map<TableName, TableDefinition> now = new HashMap<>();
        catalog().tables().forEach(table -> now.put(table.name(), table.definition()));
        Set<TableName> altered = new LinkedHashSet<>();
        for (LogicalTable table : tables) {
            if (!table.definition().equals(now.get(table.name()))) {
                altered.add(table.name());
            }
        }
        return altered;
    }

    private void dropDirty() {
        for (TableName table : progress.dirty()) {
            schema.drop(table);
            copy.forget(table);
            progress.dropped(table);
        }
    }

    /** The tables that must be copied: those that the target lacks, and those whose copy has begun. */
    private List<LogicalTable> wanted(List<LogicalTable> tables) {
        Set<TableName> existing = schema.tables();
        Set<TableName> copying = progress.copying().keySet();
        return tables.stream()
                .filter(table -> copying.contains(table.name()) || !existing.contains(table.name()))
                .toList();
    }

    // ---- copy

    private void copy(TableCatalog catalog, List<LogicalTable> wanted, int round) {
        for (SchemaDefault each : catalog.schemas()) {
            if (seed.settings().tables().test(new TableName(each.schema(), ""))) {
                schema.create(each);
            }
        }
        Set<TableName> exact = ExactTables.of(catalog.tables());
        List<LogicalTable> overwritten = new ArrayList<>();
        List<LogicalTable> others = new ArrayList<>();
        for (LogicalTable table : wanted) {
            (exact.contains(table.name()) ? others : overwritten).add(table);
        }
        overwritten.forEach(this::create);
        seed.environment()
                .listener()
                .step("Round " + round + ": copying " + wanted.size() + " tables"
                        + (others.isEmpty() ? "" : ", " + others.size() + " of them from a snapshot"));
        SeedProgress done = new SeedProgress(seed.environment().listener());
        copyExact(others, done);
        copy.copy(overwritten, done);
        seed.environment().listener().step("Copied " + done.rows() + " rows, " + done.bytes() + " bytes");
    }

    private void create(LogicalTable table) {
        if (!schema.tables().contains(table.name())) {
            copy.forget(table.name());
            progress.copying(table.name(), OptionalLong.of(TargetProgress.OVERWRITING));
            schema.create(table);
        }
    }

    /** All of them at one moment, so that parents fit their children. If an earlier run has not completed one, all begin again. */
    private void copyExact(List<LogicalTable> tables, SeedProgress done) {
        Map<TableName, OptionalLong> copying = progress.copying();
        if (tables.stream()
                .allMatch(table ->
                        copying.getOrDefault(table.name(), OptionalLong.empty()).isPresent())) {
            return;
        }
        List<LogicalTable> defined = tables;
        for (int tries = 0; !copySnapshot(defined, done); tries++) {
            if (tries == MOST_ROUNDS) {
                throw sessions.target()
                        .unfit(
                                ErrorCode.SEED_FAILED,
                                "expected tables that are not altered all the time, found " + names(tables));
            }
            Set<TableName> names = names(tables);
            defined = catalog().tables().stream()
                    .filter(table -> names.contains(table.name()))
                    .toList();
        }
    }

    private static Set<TableName> names(List<LogicalTable> tables) {
        Set<TableName> names = new LinkedHashSet<>();
        tables.forEach(table -> names.add(table.name()));
        return names;
    }

    /** Copies tables at one moment; returns false if one had another definition at that moment. */
    private boolean copySnapshot(List<LogicalTable> tables, SeedProgress done) {
        for (LogicalTable table : tables) {
            progress.copying(table.name(), OptionalLong.empty());
            schema.drop(table.name());
            schema.create(table);
        }
        try (SnapshotCopy snapshot = SnapshotCopy.lock(seed.environment().client(), tables)) {
            Checkpoint contains = sessions.stream().await(snapshot.executed(), LOCK_LIMIT);
            boolean isAltered = !altered(tables).isEmpty();
            snapshot.unlock();
            if (isAltered) {
                return false;
            }
            snapshot.copy(copy, done);
            tables.forEach(table -> progress.copying(table.name(), OptionalLong.of(contains.transactions())));
            return true;
        }
    }

    private void views(TableCatalog catalog) {
        catalog.leftOut().forEach(text -> step("Left out: " + text));
        catalog.views().forEach(view -> {
            if (seed.settings().tables().test(view.name())) {
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
        purged();
        Set<TableName> existing = schema.tables();
        Set<TableName> absent = new HashSet<>(tablesBefore(executed()));
        tables.forEach(table -> absent.add(table.name()));
        absent.removeAll(existing);
        Map<TableName, OptionalLong> copied = new LinkedHashMap<>(progress.copying());
        SeedListener listener = seed.environment().listener();
        long expected = end.executed().minus(executed()).count();
        step("Replaying up to transaction " + end.transactions() + " of the stream: " + expected + " transactions");
        ReplayResult result = replay.run(
                end.executed(),
                new StreamScope(seed.settings().tables(), copied, absent),
                new ReplayListener() {
                    @Override
                    public void dirty(Set<TableName> changed, long transaction) {
                        progress.dirty(changed);
                        step("Copied again, because a statement changed it in transaction " + transaction + ": "
                                + changed);
                    }

                    @Override
                    public void applied(long transactions, long bytes) {
                        listener.replayed(transactions, expected);
                    }
                },
                seed.environment().threads());
        step("Replayed " + result.transactions() + " transactions");
    }

    private GtidSet executed() {
        return GtidSet.parse(sessions.target().value("SELECT @@GLOBAL.gtid_executed"));
    }

    /** The target has everything before the copy: in its rows. */
    private void purged() {
        GtidSet before = progress.begun().orElseThrow();
        if (executed().isEmpty() && !before.isEmpty()) {
            sessions.target().run("SET GLOBAL gtid_purged = " + SqlNames.literal(before.line()));
        }
    }

    /** The tables that the stream had before the first transaction that the target lacks. */
    private Set<TableName> tablesBefore(GtidSet executed) {
        Sid stream = new Sid(UUID.fromString(sessions.node().value("SELECT @@GLOBAL.server_uuid")));
        long last = executed.firstMissing(stream, 1) - 1;
        if (last == 0) {
            return Set.of();
        }
        String sql = "SHOW TRIBUTARY SCHEMA AT GTID '" + stream + ":" + last + "'";
        try {
            Set<TableName> tables = new HashSet<>();
            QueryResult rows = sessions.node().query(sql);
            for (int row = 0; row < rows.rows().size(); row++) {
                tables.add(new TableName(rows.text(row, "Schema"), rows.text(row, "Table")));
            }
            return tables;
        } catch (MysqlServerError e) {
            throw sessions.node().failed(sql, e);
        }
    }
}
