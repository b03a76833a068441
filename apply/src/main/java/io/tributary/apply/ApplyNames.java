package io.tributary.apply;

import io.tributary.apply.server.ApplyStatement;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.DdlStatement;
import io.tributary.extractor.ddl.OutputNames;
import io.tributary.replay.stream.StreamStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables that are applied, and their names on the target. Immutable. */
public final class ApplyNames {
    /** All tables, with their names in the stream. */
    public static final ApplyNames ALL = new ApplyNames(table -> true, schema -> true, Map.of());

    private final Predicate<TableName> filter;
    private final Predicate<String> covers;
    private final Map<TableName, TableName> renamed;

    private ApplyNames(Predicate<TableName> filter, Predicate<String> covers, Map<TableName, TableName> renamed) {
        this.filter = filter;
        this.covers = covers;
        this.renamed = Map.copyOf(renamed);
    }

    /**
     * Names of a configuration.
     *
     * @param filter whether a table of the stream is applied; with an empty table name: a schema
     * @param covers whether all tables of a schema are applied
     * @param renames {@code schema.table:schema.table} or {@code schema:schema}
     * @throws TributaryException CONFIG_INVALID
     */
    public static ApplyNames of(Predicate<TableName> filter, Predicate<String> covers, List<String> renames) {
        Map<TableName, TableName> names = new HashMap<>();
        for (String rename : renames) {
            int colon = rename.indexOf(':');
            TableName from = colon < 0 ? null : name(rename.substring(0, colon));
            TableName to = colon < 0 ? null : name(rename.substring(colon + 1));
            if (from == null
                    || to == null
                    || from.table().isEmpty() != to.table().isEmpty()) {
                throw new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "apply.rename: expected schema:schema or schema.table:schema.table, found " + rename);
            }
            if (names.put(from, to) != null) {
                throw new TributaryException(
                        ErrorCode.CONFIG_INVALID, "apply.rename: expected one name for " + from + ", found two");
            }
        }
        return new ApplyNames(filter, covers, names);
    }

    private static TableName name(String text) {
        String[] parts = text.strip().split("\\.", -1);
        boolean isName = parts.length <= 2 && !parts[0].isEmpty() && !parts[parts.length - 1].isEmpty();
        return isName ? new TableName(parts[0], parts.length == 2 ? parts[1] : "") : null;
    }

    /** Whether a table of the stream is applied. */
    public boolean applies(TableName table) {
        return filter.test(table);
    }

    /** The name on the target. */
    public TableName onTarget(TableName table) {
        if (renamed.isEmpty()) {
            return table;
        }
        TableName exact = renamed.get(table);
        TableName schema = exact == null ? renamed.get(new TableName(table.schema(), "")) : null;
        return exact != null ? exact : schema == null ? table : new TableName(schema.schema(), table.table());
    }

    /**
     * The statement for the target; empty if nothing that it changes is applied.
     *
     * @throws TributaryException REPLAY_FAILED if only a part of what it changes is applied, or it cannot be written with other names
     */
    Optional<ApplyStatement> statement(StreamStatement statement) {
        List<TableName> applied =
                statement.targets().stream().filter(this::applies).toList();
        if (applied.isEmpty() && !statement.targets().isEmpty()) {
            return Optional.empty();
        }
        if (applied.size() < statement.targets().size()) {
            throw failed("a statement all of whose tables are applied, or none", statement);
        }
        List<TableName> all = new ArrayList<>(statement.targets());
        all.addAll(statement.parsed().references());
        if (statement.dropsSchema() && !statement.targets().stream().allMatch(this::isWhole)) {
            throw failed("that all tables of the schema are applied, and are one schema on the target", statement);
        }
        boolean isSame =
                onTarget(new TableName(statement.schema(), "")).schema().equals(statement.schema())
                        && all.stream().allMatch(name -> onTarget(name).equals(name));
        return Optional.of(isSame ? ApplyStatement.of(statement) : renamed(statement));
    }

    /** Whether a schema is one schema on the target, with all its tables and no others. */
    private boolean isWhole(TableName schema) {
        String target = onTarget(schema).schema();
        boolean isDivided = renamed.entrySet().stream()
                .anyMatch(rename -> rename.getKey().schema().equals(schema.schema())
                        ? !rename.getKey().table().isEmpty()
                        : rename.getValue().schema().equals(target));
        return covers.test(schema.schema()) && !isDivided;
    }

    private ApplyStatement renamed(StreamStatement statement) {
        OutputNames names = new OutputNames(this::onTarget, schema -> false, table -> false, false);
        DdlStatement.Mapped mapped = statement.parsed().map(names).orElse(null);
        boolean isWhole = !statement.parsed().createsFromSelect(); // its words for the transaction would be lost
        if (mapped == null || mapped.statements().size() != 1 || !isWhole) {
            throw failed("a statement that can be written with the names of apply.rename", statement);
        }
        return new ApplyStatement(
                statement,
                statement.schema().isEmpty() ? "" : mapped.defaultSchema(),
                statement.text().with(mapped.statements().get(0).text()),
                statement.targets().stream().map(this::onTarget).toList());
    }

    private static TributaryException failed(String expected, StreamStatement statement) {
        return new TributaryException(
                ErrorCode.REPLAY_FAILED,
                "expected " + expected + ", found " + statement
                        + " | run it on the target by hand, and mark its transaction as applied (docs/apply.md)");
    }
}
