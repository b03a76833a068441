package io.tributary.seed.replay;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.replay.stream.StreamStatement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What statements do to tables that are being copied: such a table is dirty from then on, and passed over. A statement on one of them is not
 * executed at all, so whatever else it changes is dirty too. For one thread.
 */
final class DirtyTables {
    private static final List<String> TABLE_WORDS = List.of("TABLE", "INDEX", "DATABASE", "SCHEMA");

    private final ReplayScope scope;
    private final Function<String, Collection<TableName>> tablesOfSchema;
    private final Set<TableName> dirty = new LinkedHashSet<>();

    /** @param tablesOfSchema the tables that the target has in a schema */
    DirtyTables(ReplayScope scope, Function<String, Collection<TableName>> tablesOfSchema) {
        this.scope = scope;
        this.tablesOfSchema = tablesOfSchema;
    }

    /**
     * What a statement does.
     *
     * @param runs whether it is executed on the target
     * @param becomesDirty the tables that are dirty from it on, and were not before
     */
    record Effect(boolean runs, Set<TableName> becomesDirty) {
        private static final Effect NONE = new Effect(false, Set.of());
        private static final Effect RUNS = new Effect(true, Set.of());
    }

    /** All dirty tables. */
    Set<TableName> all() {
        return Set.copyOf(dirty);
    }

    /** How a table is replayed in a transaction. */
    RowTreatment treatment(TableName table, long transaction) {
        return dirty.contains(table) ? RowTreatment.PASS_OVER : scope.of(table, transaction);
    }

    /** Decides about a statement; the tables that become dirty are then passed over. */
    Effect decide(StreamStatement statement, long transaction) {
        Effect effect = effect(statement, transaction);
        dirty.addAll(effect.becomesDirty());
        return effect;
    }

    private Effect effect(StreamStatement statement, long transaction) {
        return switch (statement.parsed().kind()) {
            case SERVER, TRANSACTION -> Effect.NONE;
            case SCHEMA -> ofSchema(statement, transaction);
            case TABLE, ROWS -> ofTables(statement, transaction);
            default -> ofOthers(statement, transaction);
        };
    }

    private Effect ofSchema(StreamStatement statement, long transaction) {
        if (allPassOver(statement.targets(), transaction)) {
            return Effect.NONE;
        }
        Set<TableName> copied = new LinkedHashSet<>();
        if (statement.dropsSchema()) {
            for (TableName schema : statement.targets()) {
                for (TableName table : tablesOfSchema.apply(schema.schema())) {
                    if (treatment(table, transaction) != RowTreatment.PLAIN) {
                        copied.add(table);
                    }
                }
            }
        }
        return new Effect(true, copied);
    }

    private Effect ofTables(StreamStatement statement, long transaction) {
        if (statement.targets().isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SEED_FAILED,
                    "transaction " + transaction
                            + " of the stream: expected a statement that names what it changes, found " + statement);
        }
        List<TableName> applied = new ArrayList<>(statement.targets());
        applied.removeIf(table -> treatment(table, transaction) == RowTreatment.PASS_OVER);
        if (applied.isEmpty()) {
            return Effect.NONE;
        }
        boolean runs = applied.size() == statement.targets().size()
                && applied.stream().allMatch(table -> treatment(table, transaction) == RowTreatment.PLAIN)
                && statement.parsed().references().stream()
                        .noneMatch(table -> treatment(table, transaction) == RowTreatment.PASS_OVER);
        return runs ? Effect.RUNS : new Effect(false, new LinkedHashSet<>(applied));
    }

    /** Views, programs, accounts, and statements that are not known: they change no rows. */
    private Effect ofOthers(StreamStatement statement, long transaction) {
        String verb = statement.parsed().verb();
        if (TABLE_WORDS.stream().anyMatch(word -> verb.endsWith(" " + word))) {
            return ofTables(statement, transaction);
        }
        boolean isLeftOut =
                statement.parsed().kind() == StatementKind.PROGRAM && allPassOver(statement.targets(), transaction);
        return isLeftOut ? Effect.NONE : Effect.RUNS;
    }

    private boolean allPassOver(List<TableName> targets, long transaction) {
        return !targets.isEmpty()
                && targets.stream().allMatch(target -> treatment(target, transaction) == RowTreatment.PASS_OVER);
    }
}
