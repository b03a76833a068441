package io.tributary.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.Checkpoints;
import io.tributary.seed.checkpoint.ShardPositions;
import io.tributary.seed.copy.Copy;
import io.tributary.seed.copy.SnapshotCopy;
import io.tributary.seed.folder.DumpContent;
import io.tributary.seed.folder.DumpFile;
import io.tributary.seed.folder.DumpFolder;
import io.tributary.seed.folder.DumpGuide;
import io.tributary.seed.replay.ReplayConfig;
import io.tributary.seed.replay.ReplayListener;
import io.tributary.seed.replay.ReplayScript;
import io.tributary.seed.table.ExactTables;
import io.tributary.seed.table.LogicalTable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rounds of a seed into files. A round copies the tables that the folder lacks, then writes the replay from the beginning of the copy up to the first
 * checkpoint that contains everything that was read. A table that is altered meanwhile is removed and copied in the next round, and the replay is
 * written again. Tables that need a snapshot are copied last: their place is the end of the replay. For one thread.
 */
final class FileRounds {
    private static final Duration STREAM_LIMIT = Duration.ofMinutes(10);
    /** Writers of the locked tables wait as long. */
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);

    private static final int MOST_ROUNDS = 100;

    private final FileSeed seed;
    private final Sessions sessions;
    private final DumpFolder folder;
    private final SeedCatalog catalog;
    private final Copy copy;
    private final ReplayConfig reader;
    private final AtomicLong longest = new AtomicLong();
    private final Map<TableName, Copied> copied = new LinkedHashMap<>();
    private final Set<TableName> ofSnapshot = new HashSet<>();
    private final Set<String> shown = new HashSet<>();

    /** Sessions that are open during all rounds. */
    record Sessions(StreamDefinitions definitions, SqlSession node, Checkpoints stream, ShardPositions shards) {}

    /** A table that the folder has, and the checkpoint that all its chunks contain. */
    private record Copied(LogicalTable table, Checkpoint after) {}

    /**
     * What a round has found.
     *
     * @param before the checkpoint before it was read
     * @param inChunks tables that are copied chunk by chunk
     * @param exact tables that are copied from a snapshot
     */
    private record Plan(
            Checkpoint before, SeedCatalog.Found found, List<LogicalTable> inChunks, List<LogicalTable> exact) {}

    FileRounds(FileSeed seed, Sessions sessions, DumpFolder folder) {
        this.seed = seed;
        this.sessions = sessions;
        this.folder = folder;
        Seed.Environment environment = seed.environment();
        SeedSettings settings = seed.settings();
        this.catalog = new SeedCatalog(
                environment.client(),
                new SeedCatalog.Servers(seed.origin().shards(), seed.reader()),
                new SeedCatalog.Scope(settings.tables(), seed.names()),
                sessions.node(),
                sessions.definitions());
        this.copy = Copy.toFiles(environment.client(), folder, settings.copy(), environment.threads(), longest);
        UUID identity = FileSeed.identity(sessions.node(), folder);
        this.reader = ReplayConfig.of(Integer.toUnsignedLong(identity.hashCode()) | 1, identity);
    }

    /** Runs all rounds and completes the folder. */
    FileSeed.Made run() {
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            Plan plan = plan();
            List<LogicalTable> wanted = plan.inChunks().stream()
                    .filter(table -> !copied.containsKey(table.name()))
                    .toList();
            boolean isAltered = !sessions.definitions()
                    .changed(wanted, plan.before().transactions())
                    .isEmpty();
            if (isAltered || !copyChunks(wanted, plan.before(), round)) {
                continue; // the definitions must be those of the checkpoint
            }
            Optional<Checkpoint> end = finish(plan);
            if (end.isPresent()) {
                return new FileSeed.Made(plan.found().seeded().size(), end.get().transactions());
            }
        }
        throw new TributaryException(
                ErrorCode.SEED_FAILED,
                folder.path() + ": expected tables and views that are not altered all the time, found that each of "
                        + MOST_ROUNDS
                        + " rounds had to begin again | delete the folder, and run the seed when there are"
                        + " fewer statements that alter them");
    }

    /** Reads what there is, and removes what the folder has of it in another form, or of another moment. */
    private Plan plan() {
        forget(ofSnapshot);
        ofSnapshot.clear();
        Checkpoint before = sessions.stream().newest();
        sessions.shards().awaitVisible(before, STREAM_LIMIT);
        SeedCatalog.Found found = catalog.read();
        Set<TableName> exact = ExactTables.of(found.all().tables());
        Map<TableName, LogicalTable> inChunks = new LinkedHashMap<>();
        found.seeded().stream()
                .filter(table -> !exact.contains(table.name()))
                .forEach(table -> inChunks.put(table.name(), table));
        Set<TableName> outdated = new LinkedHashSet<>();
        copied.forEach((name, how) -> {
            LogicalTable now = inChunks.get(name);
            if (now == null || !now.definition().equals(how.table().definition())) {
                outdated.add(name);
            }
        });
        forget(outdated);
        return new Plan(
                before,
                found,
                List.copyOf(inChunks.values()),
                found.seeded().stream()
                        .filter(table -> exact.contains(table.name()))
                        .toList());
    }

    private void forget(Set<TableName> tables) {
        for (TableName table : tables) {
            folder.forget(table);
            copied.remove(table);
        }
    }

    private void step(String text) {
        if (shown.add(text)) {
            seed.environment().listener().step(text);
        }
    }

    // ---- copy

    /**
     * Copies, unless tables are altered meanwhile so that a shard refuses a statement: these are copied in the next round.
     *
     * @return whether all are copied
     */
    private boolean copyChunks(List<LogicalTable> tables, Checkpoint before, int round) {
        if (tables.isEmpty()) {
            return true;
        }
        step("Round " + round + ": copying " + tables.size() + " tables");
        SeedProgress done = new SeedProgress(seed.environment().listener());
        try {
            copy.copy(tables, done);
            step("Copied " + done.rows() + " rows, " + done.bytes() + " bytes");
            return true;
        } catch (TributaryException e) {
            requireAltered(tables, e);
            return false;
        } finally {
            for (LogicalTable table : tables) {
                if (done.finished().contains(table.name())) {
                    copied.put(table.name(), new Copied(table, before));
                } else {
                    folder.forget(table.name());
                }
            }
        }
    }

    /** Throws the failure of a copy, unless a statement that has altered a table is the cause. */
    private void requireAltered(List<LogicalTable> tables, TributaryException e) {
        if (!(e.getCause() instanceof MysqlServerError)) {
            throw e;
        }
        Checkpoint now = sessions.stream().await(sessions.shards().executed(), STREAM_LIMIT);
        Set<TableName> altered = sessions.definitions().changed(tables, now.transactions());
        if (altered.isEmpty()) {
            throw e;
        }
        step("Copied again, because they were altered during the copy: " + altered);
    }

    /**
     * Copies tables that need a snapshot, all of them at one moment.
     *
     * @return the checkpoint of that moment; empty if a table had another definition then
     */
    private Optional<Checkpoint> copySnapshot(List<LogicalTable> tables) {
        step("Copying " + tables.size() + " tables from a snapshot");
        SeedProgress done = new SeedProgress(seed.environment().listener());
        try (SnapshotCopy snapshot = SnapshotCopy.lock(seed.environment().client(), tables)) {
            Checkpoint contains = sessions.stream().await(snapshot.executed(), LOCK_LIMIT);
            snapshot.unlock();
            if (!sessions.definitions().changed(tables, contains.transactions()).isEmpty()) {
                return Optional.empty();
            }
            tables.forEach(table -> ofSnapshot.add(table.name()));
            snapshot.copy(copy, done);
            step("Copied " + done.rows() + " rows, " + done.bytes() + " bytes from a snapshot");
            return Optional.of(contains);
        }
    }

    // ---- replay

    /**
     * Writes the replay, copies the tables that need a snapshot, and completes the folder.
     *
     * @return its place; empty if a statement has changed something meanwhile, and another round is necessary
     */
    private Optional<Checkpoint> finish(Plan plan) {
        Checkpoint end = sessions.stream().await(sessions.shards().executed(), STREAM_LIMIT);
        try (DumpFile file = folder.file(DumpGuide.REPLAY)) {
            ReplayScript script = script(file);
            Checkpoint begin = copied.values().stream()
                    .map(Copied::after)
                    .min((a, b) -> Long.compare(a.transactions(), b.transactions()))
                    .orElse(plan.before());
            if (!append(script, begin, end)) {
                return Optional.empty();
            }
            if (!plan.exact().isEmpty()) {
                Optional<Checkpoint> moment = copySnapshot(plan.exact());
                if (moment.isEmpty() || !append(script, end, moment.get())) {
                    return Optional.empty();
                }
                end = moment.get();
            }
            if (!isUnchanged(plan, script, end)) {
                return Optional.empty();
            }
            script.end();
            longest.accumulateAndGet(script.longest(), Math::max);
            complete(plan, file, end);
            return Optional.of(end);
        }
    }

    private ReplayScript script(DumpFile file) {
        Seed.Environment environment = seed.environment();
        return new ReplayScript(
                new ReplayScript.Origin(environment.client(), seed.reader(), reader, environment.clock()),
                file,
                this::copiedBefore,
                seed.settings().tables(),
                (statement, transaction) -> step("Left out: " + statement + " in transaction " + transaction));
    }

    private Collection<TableName> copiedBefore(String schema, long transaction) {
        return copied.entrySet().stream()
                .filter(each -> each.getKey().schema().equals(schema)
                        && each.getValue().after().transactions() < transaction)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Appends transactions to the replay; if a statement in them has changed tables, removes these and returns false. */
    private boolean append(ReplayScript script, Checkpoint begin, Checkpoint end) {
        SeedListener listener = seed.environment().listener();
        long expected = script.transactions() + end.transactions() - begin.transactions();
        step("Writing the replay up to transaction " + end.transactions() + " of the stream: "
                + (end.transactions() - begin.transactions()) + " transactions");
        Map<TableName, Long> after = new LinkedHashMap<>();
        copied.forEach((name, how) -> after.put(name, how.after().transactions()));
        Set<TableName> dirty = script.append(
                begin.executed(), end.executed(), new FileScope(seed.settings().tables(), after), new ReplayListener() {
                    @Override
                    public void dirty(Set<TableName> changed, long transaction) {
                        step("Copied again, because a statement changed it in transaction " + transaction + ": "
                                + changed);
                    }

                    @Override
                    public void applied(long transactions, long bytes) {
                        listener.replayed(transactions, expected);
                    }
                });
        forget(dirty);
        return dirty.isEmpty();
    }

    /** Whether the tables, schemas and views that were found are those at the end. */
    private boolean isUnchanged(Plan plan, ReplayScript script, Checkpoint end) {
        boolean isUnchanged = script.lastDefinition() <= plan.before().transactions()
                && sessions.definitions()
                        .changed(plan.found().seeded(), end.transactions())
                        .isEmpty();
        if (!isUnchanged) {
            step("Another round, because a table, schema or view was changed in transaction "
                    + script.lastDefinition());
        }
        return isUnchanged;
    }

    private void complete(Plan plan, DumpFile replay, Checkpoint end) {
        DumpGuide guide = new DumpGuide(
                folder,
                end.executed(),
                new DumpGuide.Source(
                        seed.origin().source().host(),
                        seed.origin().source().port(),
                        seed.origin().source().credentials().user()));
        List<SchemaDefault> schemas = plan.found().all().schemas().stream()
                .filter(schema -> seed.settings().tables().test(new TableName(schema.schema(), "")))
                .toList();
        plan.found().all().leftOut().forEach(text -> step("Left out: " + text));
        replay.add(guide.endOfReplay()).complete();
        guide.complete(
                new DumpContent(
                        schemas,
                        plan.found().seeded(),
                        plan.found().all().views().stream()
                                .filter(view -> seed.settings().tables().test(view.name()))
                                .toList()),
                longest.get());
    }
}
