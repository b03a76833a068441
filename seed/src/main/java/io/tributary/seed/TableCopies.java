package io.tributary.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.TableName;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.copy.Copy;
import io.tributary.seed.copy.SnapshotCopy;
import io.tributary.seed.replica.TargetProgress;
import io.tributary.seed.replica.TargetProgress.Copying;
import io.tributary.seed.replica.TargetSchema;
import io.tributary.seed.table.LogicalTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The copies of one seed: chunk by chunk for most tables, from a snapshot for those that need one. For one thread. */
final class TableCopies {
    /** Writers of the locked tables wait as long. */
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);

    private static final int MOST_TRIES = 100;

    private final Seed seed;
    private final SeedRounds.Sessions sessions;
    private final StreamDefinitions definitions;
    private final TargetProgress progress;
    private final TargetSchema schema;
    private final Copy copy;

    TableCopies(Seed seed, SeedRounds.Sessions sessions, TargetProgress progress, Copy copy) {
        this.seed = seed;
        this.sessions = sessions;
        this.definitions = sessions.definitions();
        this.progress = progress;
        this.schema = new TargetSchema(sessions.target());
        this.copy = copy;
    }

    /**
     * Drops the tables of the target that must be copied from their first row again: those that a statement has changed; those that are not seeded
     * any more; those that have another definition now.
     *
     * @return their names
     */
    Set<TableName> dropOutdated(List<LogicalTable> tables) {
        Map<TableName, Copying> copying = progress.copying();
        Set<TableName> outdated = new LinkedHashSet<>(copying.keySet());
        tables.forEach(table -> {
            Copying how = copying.get(table.name());
            if (how != null && how.definition().equals(text(table))) {
                outdated.remove(table.name());
            }
        });
        progress.dirty(outdated);
        return dropDirty();
    }

    /** Drops the tables that must be copied again, and returns their names. */
    Set<TableName> dropDirty() {
        Set<TableName> dirty = progress.dirty();
        for (TableName table : dirty) {
            schema.drop(table);
            copy.forget(table);
            progress.dropped(table);
        }
        return dirty;
    }

    private static String text(LogicalTable table) {
        return table.definition().toString();
    }

    /**
     * Copies tables chunk by chunk.
     *
     * @param before contained in every chunk
     */
    void copyChunks(List<LogicalTable> tables, Checkpoint before, SeedProgress done) {
        Set<TableName> existing = schema.tables();
        for (LogicalTable table : tables) {
            if (!existing.contains(table.name())) {
                copy.forget(table.name());
                progress.copying(table.name(), new Copying(OptionalLong.of(before.transactions()), true, text(table)));
                schema.create(table);
            }
        }
        copy.copy(tables, done);
    }

    /**
     * Copies tables that need a snapshot, all of them at one moment, so that parents fit their children. If an earlier run has not completed one, all
     * begin again.
     *
     * @param renewed reads the definitions of these tables again
     */
    void copySnapshot(List<LogicalTable> tables, UnaryOperator<List<LogicalTable>> renewed, SeedProgress done) {
        Map<TableName, Copying> copying = progress.copying();
        boolean isComplete = tables.stream()
                .allMatch(table -> copying.containsKey(table.name())
                        && copying.get(table.name()).after().isPresent());
        List<LogicalTable> defined = new ArrayList<>(tables);
        for (int tries = 0; !isComplete; tries++) {
            if (tries == MOST_TRIES) {
                throw sessions.target()
                        .unfit(
                                ErrorCode.SEED_FAILED,
                                "expected tables that are not altered all the time, found "
                                        + tables.stream()
                                                .map(LogicalTable::name)
                                                .toList());
            }
            isComplete = copySnapshot(defined, done);
            defined = isComplete ? defined : renewed.apply(defined);
        }
    }

    /** Returns false if a table had another definition at the moment of the snapshot. */
    private boolean copySnapshot(List<LogicalTable> tables, SeedProgress done) {
        for (LogicalTable table : tables) {
            progress.copying(table.name(), new Copying(OptionalLong.empty(), false, text(table)));
            schema.drop(table.name());
            schema.create(table);
        }
        try (SnapshotCopy snapshot = SnapshotCopy.lock(seed.environment().client(), tables)) {
            Checkpoint contains = sessions.stream().await(snapshot.executed(), LOCK_LIMIT);
            snapshot.unlock();
            // no statement can have changed them between the snapshot and the checkpoint: they were locked
            if (!definitions.changed(tables, contains.transactions()).isEmpty()) {
                return false;
            }
            snapshot.copy(copy, done);
            tables.forEach(table -> progress.copying(
                    table.name(), new Copying(OptionalLong.of(contains.transactions()), false, text(table))));
            return true;
        }
    }
}
