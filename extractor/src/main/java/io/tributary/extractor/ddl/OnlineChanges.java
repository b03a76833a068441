package io.tributary.extractor.ddl;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.HiddenTable.Alter;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.AlterItem.Role;
import io.tributary.extractor.ddl.Renames.Rename;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlTokens;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The online schema changes in progress on one shard: the hidden tables that were created, and the statements that altered each of them. When
 * a hidden table replaces its original, these statements are the change. Each statement's change of this state is returned with it, so that
 * the journal contains it, and a node that starts in the middle of a schema change continues from it ({@link #restore}). A copy that was
 * created before the stream began is not known here: its change is the difference of the definitions.
 *
 * <p>For one thread.
 */
public final class OnlineChanges {
    private static final String REMEDY =
            "Run the same ALTER TABLE on the replicas, where it is missing there, then leave the statement out";

    private final HiddenTables hidden;
    /** Hidden copies by physical name, with the statements that altered each. */
    private final Map<TableName, List<Alter>> copies = new HashMap<>();
    /** Tables whose rows are in a table with a hidden name until a copy replaces them. */
    private final Map<TableName, TableName> movedAway = new HashMap<>();

    // changes of hidden tables by the current statement
    private final Map<TableName, HiddenTable> changed = new LinkedHashMap<>();
    private final List<HiddenChange.Rename> renames = new ArrayList<>();

    public OnlineChanges(HiddenTables hidden) {
        this.hidden = hidden;
    }

    /** Restores the state at a position of the log up to which statements have been read; newer values from these statements stay. */
    public void restore(List<HiddenTable> tables) {
        for (HiddenTable each : tables) {
            switch (each.role()) {
                case COPY -> copies.putIfAbsent(each.name(), new ArrayList<>(each.alters()));
                case AWAY -> movedAway.putIfAbsent(each.original(), each.name());
                case OTHER, GONE -> {} // not needed here
            }
        }
    }

    /**
     * A statement and the session in which it was run.
     *
     */
    public record Sourced(DdlStatement statement, StatementSession session) {}

    /**
     * The result of a statement.
     *
     * @param statements the statement itself, or the statements of a schema change that a swap completes; empty if nothing must be written
     * @param change its change of hidden tables. If a copy replaces a table and the statements that altered it are not known, the statement is an
     *     ALTER TABLE that changes nothing
     */
    public record Outcome(List<Sourced> statements, HiddenChange change) {
        public Outcome {
            statements = List.copyOf(statements);
        }
    }

    /**
     * Reads a statement.
     *
     * @throws TributaryException DDL_UNSUPPORTED if no statement in the output can replace it; then nothing has changed here
     */
    public Outcome read(DdlStatement statement, StatementSession session, OutputNames names) {
        changed.clear();
        renames.clear();
        List<Sourced> statements = statements(new Sourced(statement, session), names);
        return new Outcome(statements, new HiddenChange(List.copyOf(changed.values()), renames));
    }

    private List<Sourced> statements(Sourced itself, OutputNames names) {
        DdlStatement statement = itself.statement();
        DdlParser parsed = statement.parsed();
        if (statement.kind() == StatementKind.PROGRAM) {
            return isHiddenTrigger(statement, names) ? List.of() : List.of(itself);
        }
        if (statement.kind() == StatementKind.SCHEMA && parsed.action().equals("DROP")) {
            statement.targets().forEach(target -> forgetSchema(names.physical(target)));
        }
        if (statement.kind() != StatementKind.TABLE
                || statement.targets().stream()
                        .noneMatch(target -> isHidden(target, names) || isWaitedFor(target, names))) {
            return List.of(itself);
        }
        TableName main = names.physical(statement.targets().get(0));
        boolean mainIsHidden = isHidden(main, names);
        switch (parsed.action()) {
            case "RENAME" -> {
                return renamed(itself, names, steps(parsed.names(), names));
            }
            case "DROP" -> {
                return parsed.object().equals("INDEX") ? altered(itself, main, mainIsHidden) : dropped(itself, names);
            }
            case "CREATE" -> {
                if (parsed.object().equals("INDEX")) {
                    return altered(itself, main, mainIsHidden);
                }
                if (mainIsHidden) {
                    copies.put(main, new ArrayList<>());
                    changed.put(main, HiddenTable.copy(main, List.of()));
                }
                return mainIsHidden ? List.of() : List.of(itself);
            }
            case "ALTER" -> {
                return alteredOrRenamed(itself, main, mainIsHidden, names);
            }
            default -> {
                return mainIsHidden ? List.of() : List.of(itself);
            }
        }
    }

    private List<Sourced> alteredOrRenamed(Sourced itself, TableName main, boolean mainIsHidden, OutputNames names) {
        DdlStatement statement = itself.statement();
        List<AlterItem> items =
                AlterItems.read(statement.tokens(), statement.parsed().bodyAt());
        List<Sourced> left = altered(itself, main, mainIsHidden);
        if (items.stream().noneMatch(item -> item.is(Role.RENAME))) {
            return left;
        }
        List<TableName> targets = statement.targets();
        return renamed(itself, names, List.of(new Rename(main, names.physical(targets.get(targets.size() - 1)))));
    }

    private void forgetSchema(TableName schema) {
        copies.keySet().removeIf(copy -> copy.schema().equals(schema.schema()));
        movedAway.keySet().removeIf(table -> table.schema().equals(schema.schema()));
    }

    private boolean isHiddenTrigger(DdlStatement statement, OutputNames names) {
        if (!statement.parsed().object().equals("TRIGGER")
                || statement.targets().isEmpty()) {
            return false;
        }
        return hidden.hidesTrigger(statement.targets().get(0).table())
                || statement.references().stream().anyMatch(table -> isHidden(table, names));
    }

    private boolean isHidden(TableName written, OutputNames names) {
        TableName physical = names.physical(written);
        return !physical.table().isEmpty()
                && hidden.hides(physical.table())
                && !names.isFiltered().test(physical.schema());
    }

    private boolean isWaitedFor(TableName written, OutputNames names) {
        TableName physical = names.physical(written);
        return movedAway.containsKey(physical) || hasCopy(physical);
    }

    private boolean hasCopy(TableName table) {
        for (TableName copy : copies.keySet()) {
            if (copy.schema().equals(table.schema()) && hidden.isCopyOf(copy.table(), table.table())) {
                return true;
            }
        }
        return false;
    }

    private List<Sourced> altered(Sourced itself, TableName main, boolean mainIsHidden) {
        if (!mainIsHidden) {
            return List.of(itself);
        }
        String items = items(itself.statement());
        List<Alter> known = copies.get(main);
        if (!items.isEmpty() && known == null) {
            changed.put(main, HiddenTable.gone(main)); // its definition is no longer known
        } else if (!items.isEmpty()) {
            known.add(alter(itself, items));
            changed.put(main, HiddenTable.copy(main, known));
        }
        return List.of();
    }

    private static Alter alter(Sourced itself, String items) {
        StatementSession session = itself.session();
        return new Alter(
                items,
                new HiddenTable.SessionSettings(
                        itself.statement().defaultSchema(),
                        session.mode().ansiQuotes(),
                        session.mode().backslashEscapes(),
                        session.charset().name(),
                        session.variables()));
    }

    /** The change of the statement's table, as items of ALTER TABLE; "" if there is none. */
    private static String items(DdlStatement statement) {
        DdlParser parsed = statement.parsed();
        SqlTokens tokens = statement.tokens();
        Edits asWritten = new Edits(tokens);
        if (parsed.object().equals("INDEX")) {
            if (parsed.action().equals("DROP")) {
                return "DROP INDEX " + asWritten.of(parsed.onAt() - 1, parsed.onAt());
            }
            int end = parsed.bodyAt();
            while (end < tokens.size() && !tokens.isWord(end, "ALGORITHM") && !tokens.isWord(end, "LOCK")) {
                end++;
            }
            return "ADD " + asWritten.of(parsed.actionAt(), parsed.onAt()) + " " + asWritten.of(parsed.bodyAt(), end);
        }
        List<AlterItem> items = AlterItems.read(tokens, parsed.bodyAt()).stream()
                .filter(item -> !item.is(Role.MODIFIER)
                        && !item.is(Role.RENAME)
                        && !tokens.isWord(item.from(), "AUTO_INCREMENT")) // added by the tool
                .toList();
        return new AlterParts(tokens, items).text(items, asWritten);
    }

    private List<Sourced> dropped(Sourced itself, OutputNames names) {
        List<TableName> targets = itself.statement().targets();
        for (TableName target : targets) {
            if (!isHidden(target, names) && !names.leavesOut(target)) {
                refuseWhileCopied(names.physical(target), targets, names);
            }
        }
        boolean all = true;
        for (TableName target : targets) {
            TableName physical = names.physical(target);
            if (isHidden(target, names)) {
                copies.remove(physical);
                changed.put(physical, HiddenTable.gone(physical));
            } else if (!names.leavesOut(target)) {
                TableName away = movedAway.remove(physical);
                if (away != null) {
                    changed.put(away, HiddenTable.other(away));
                }
                all = false;
            }
        }
        return all && targets.stream().anyMatch(target -> isHidden(target, names)) ? List.of() : List.of(itself);
    }

    /** Refuses to drop a table that is copied: of the tools, only pt-online-schema-change drops a table in order to replace it by its copy. */
    private void refuseWhileCopied(TableName table, List<TableName> dropped, OutputNames names) {
        boolean isCopied = copies.keySet().stream()
                .filter(copy ->
                        dropped.stream().noneMatch(each -> names.physical(each).equals(copy)))
                .anyMatch(copy -> copy.schema().equals(table.schema())
                        && copy.table().endsWith("_new")
                        && hidden.isCopyOf(copy.table(), table.table()));
        if (isCopied) {
            throw new TributaryException(
                    ErrorCode.DDL_UNSUPPORTED,
                    "expected no DROP TABLE " + table + " while an online schema change makes a copy of it, found one:"
                            + " pt-online-schema-change with drop_swap drops the table and renames the copy. Leave the"
                            + " statement out, and run the tool's ALTER TABLE on the replicas; if the table must be"
                            + " removed, run DROP TABLE on them");
        }
    }

    private static List<Rename> steps(List<NameSpan> spans, OutputNames names) {
        List<Rename> steps = new ArrayList<>();
        for (int i = 0; i + 1 < spans.size(); i += 2) {
            steps.add(new Rename(
                    names.physical(spans.get(i).name()),
                    names.physical(spans.get(i + 1).name())));
        }
        return steps;
    }

    private List<Sourced> renamed(Sourced itself, OutputNames names, List<Rename> steps) {
        Renames net = Renames.of(steps, names::leavesOut);
        List<Rename> gained =
                net.gained().stream().filter(one -> isHidden(one.from(), names)).toList();
        List<Rename> lost =
                net.lost().stream().filter(one -> isHidden(one.to(), names)).toList();
        if (gained.isEmpty() && lost.isEmpty()) {
            moveCopies(steps, net, names);
            boolean nothing =
                    net.kept().isEmpty() && net.lost().isEmpty() && net.gained().isEmpty();
            return nothing && steps.stream().allMatch(step -> names.leavesOut(step.from()))
                    ? List.of()
                    : List.of(itself);
        }
        if (gained.size() > 1 || lost.size() > 1 || !net.kept().isEmpty()) {
            throw unsupported("the swap of one table with its copy", "RENAME of several tables, " + shown(steps));
        }
        if (gained.isEmpty()) {
            return movedAway(lost.get(0), steps, names);
        }
        return swapped(itself, gained.get(0), net, steps, names);
    }

    /** Handles the first of two steps of a swap. */
    private List<Sourced> movedAway(Rename lost, List<Rename> steps, OutputNames names) {
        if (!hasCopy(lost.from())) {
            throw unsupported(
                    "RENAME to a hidden name only during an online schema change whose copy was created in this stream",
                    "no such change of " + lost.from() + " at " + shown(steps)
                            + ". To remove a table permanently, give it a name that ddl.hidden does not match, or"
                            + " drop it");
        }
        movedAway.put(lost.from(), lost.to());
        changed.put(lost.to(), HiddenTable.away(lost.to(), lost.from()));
        rename(HiddenChange.Kind.MOVES_AWAY, lost, names.logical(lost.from()));
        return List.of();
    }

    private List<Sourced> swapped(Sourced itself, Rename gained, Renames net, List<Rename> steps, OutputNames names) {
        TableName table = gained.to();
        TableName away = movedAway.get(table);
        if (gained.from().equals(away)) { // the first step is reverted
            movedAway.remove(table);
            changed.put(away, HiddenTable.gone(away));
            return List.of();
        }
        List<Rename> lost =
                net.lost().stream().filter(one -> one.from().equals(table)).toList();
        if (away == null && lost.isEmpty()) {
            throw unsupported(
                    "a hidden table that replaces a table which gets a hidden name",
                    "that " + table + " does not get one at " + shown(steps));
        }
        List<Alter> alters = copies.remove(gained.from());
        boolean isKnown = alters != null;
        changed.put(gained.from(), HiddenTable.gone(gained.from()));
        moveCopies(steps, net, names);
        movedAway.remove(table);
        if (away != null) {
            changed.put(away, HiddenTable.other(away));
        }
        for (Rename one : net.lost()) {
            rename(HiddenChange.Kind.MOVES_AWAY, one, names.logical(one.from()));
            changed.put(one.to(), HiddenTable.other(one.to()));
        }
        rename(
                isKnown ? HiddenChange.Kind.TAKES_PLACE : HiddenChange.Kind.TAKES_PLACE_UNKNOWN,
                gained,
                names.logical(table));
        return isKnown
                ? alters.stream().map(alter -> onTable(alter, table)).toList()
                : List.of(new Sourced(
                        alterTable(
                                table,
                                "",
                                itself.statement().defaultSchema(),
                                itself.session().mode()),
                        itself.session()));
    }

    private void rename(HiddenChange.Kind kind, Rename rename, TableName logical) {
        renames.add(new HiddenChange.Rename(kind, rename.from(), rename.to(), logical));
    }

    private static Sourced onTable(Alter alter, TableName table) {
        HiddenTable.SessionSettings settings = alter.session();
        SqlMode mode = new SqlMode(settings.ansiQuotes(), settings.backslashEscapes());
        StatementSession session =
                new StatementSession(mode, Charset.forName(settings.charset()), settings.variables());
        return new Sourced(alterTable(table, alter.items(), settings.defaultSchema(), mode), session);
    }

    private static DdlStatement alterTable(TableName table, String items, String defaultSchema, SqlMode mode) {
        String text = "ALTER TABLE " + SqlNames.name(table) + " " + items;
        return DdlStatement.parse(text, defaultSchema, mode);
    }

    private void moveCopies(List<Rename> steps, Renames net, OutputNames names) {
        for (Rename step : steps) {
            List<Alter> alters = copies.remove(step.from());
            if (isHidden(step.from(), names)) {
                changed.put(step.from(), HiddenTable.gone(step.from()));
            }
            if (alters != null && isHidden(step.to(), names)) {
                copies.put(step.to(), alters);
                changed.put(step.to(), HiddenTable.copy(step.to(), alters));
            }
        }
        for (Rename one : net.out()) {
            if (isHidden(one.from(), names) && isHidden(one.to(), names)) {
                changed.putIfAbsent(one.to(), HiddenTable.other(one.to()));
                rename(HiddenChange.Kind.STAYS_HIDDEN, one, one.from());
            }
        }
    }

    private static String shown(List<Rename> steps) {
        List<String> texts =
                steps.stream().map(step -> step.from() + " TO " + step.to()).toList();
        return "RENAME " + String.join(", ", texts);
    }

    private static TributaryException unsupported(String expected, String found) {
        return new TributaryException(
                ErrorCode.DDL_UNSUPPORTED, "expected " + expected + ", found " + found + ". " + REMEDY);
    }
}
