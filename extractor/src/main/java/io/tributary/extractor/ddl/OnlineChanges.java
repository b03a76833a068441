package io.tributary.extractor.ddl;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.AlterItem.Role;
import io.tributary.extractor.ddl.Renames.Rename;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The online schema changes under way on one shard: which hidden tables were made, and how each was altered. When a hidden table takes the
 * place of its original, the statements that altered it are the change. Kept in memory only: a change that began before the stream
 * did, or before the node was started, is not known, and its end is refused.
 *
 * <p>One thread.
 */
public final class OnlineChanges {
    private static final String NOT_KNOWN =
            "Run the same ALTER TABLE on the replicas, where it is missing there, then leave the statement out";

    private final HiddenTables hidden;
    /** By physical name; how each was altered. */
    private final Map<TableName, List<Sourced>> copies = new HashMap<>();
    /** Tables whose rows are under a hidden name until a copy takes their place. */
    private final Map<TableName, TableName> movedAway = new HashMap<>();

    public OnlineChanges(HiddenTables hidden) {
        this.hidden = hidden;
    }

    /**
     * A statement and the session in which it was run.
     *
     * @param items what stood behind the table's name, in the form of ALTER TABLE; null where it is the statement itself
     */
    public record Sourced(DdlStatement statement, StatementSession session, String items) {}

    /**
     * What a statement comes to.
     *
     * @return the very statement; or those that a swap stands for; none where nothing is to be written
     * @throws TributaryException DDL_UNSUPPORTED for a swap with a copy that is not known
     */
    public List<Sourced> read(DdlStatement statement, StatementSession session, OutputNames names) {
        Sourced itself = new Sourced(statement, session, null);
        if (statement.kind() == StatementKind.PROGRAM) {
            return isHiddenTrigger(statement, names) ? List.of() : List.of(itself);
        }
        if (statement.kind() != StatementKind.TABLE
                || statement.targets().stream()
                        .noneMatch(target -> isHidden(target, names) || isWaitedFor(target, names))) {
            return List.of(itself);
        }
        DdlParser parsed = statement.parsed();
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
                }
                return mainIsHidden ? List.of() : List.of(itself);
            }
            case "ALTER" -> {
                List<AlterItem> items = AlterItems.read(statement.tokens(), parsed.bodyAt());
                List<Sourced> left = altered(itself, main, mainIsHidden);
                if (items.stream().noneMatch(item -> item.is(Role.RENAME))) {
                    return left;
                }
                List<TableName> targets = statement.targets();
                return renamed(
                        itself, names, List.of(new Rename(main, names.physical(targets.get(targets.size() - 1)))));
            }
            default -> {
                return mainIsHidden ? List.of() : List.of(itself);
            }
        }
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
        List<Sourced> known = copies.get(main);
        if (known != null && !items.isEmpty()) {
            known.add(new Sourced(itself.statement(), itself.session(), items));
        }
        return List.of();
    }

    /** What the statement does to its table, as items of ALTER TABLE; "" where that is nothing. */
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
                        && !tokens.isWord(item.from(), "AUTO_INCREMENT")) // the tool's own
                .toList();
        return new AlterParts(tokens, items).text(items, asWritten);
    }

    private List<Sourced> dropped(Sourced itself, OutputNames names) {
        List<TableName> targets = itself.statement().targets();
        boolean all = true;
        for (TableName target : targets) {
            TableName physical = names.physical(target);
            if (isHidden(target, names)) {
                copies.remove(physical);
            } else if (!names.leavesOut(target)) {
                refuseWhileCopied(physical);
                movedAway.remove(physical);
                all = false;
            }
        }
        return all && targets.stream().anyMatch(target -> isHidden(target, names)) ? List.of() : List.of(itself);
    }

    /** Of the tools only pt-online-schema-change drops a table in order to put its copy there. */
    private void refuseWhileCopied(TableName table) {
        boolean isCopied = copies.keySet().stream()
                .anyMatch(copy -> copy.schema().equals(table.schema())
                        && copy.table().endsWith("_new")
                        && hidden.isCopyOf(copy.table(), table.table()));
        if (isCopied) {
            throw new TributaryException(
                    ErrorCode.DDL_UNSUPPORTED,
                    "expected no DROP TABLE " + table + " while an online schema change makes a copy of it, found one:"
                            + " pt-online-schema-change with drop_swap drops the table and renames the copy. Leave the"
                            + " statement out, and run the tool's ALTER TABLE on the replicas; where the table is to be"
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
            moveCopies(steps, names);
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
            return movedAway(lost.get(0), steps);
        }
        return swapped(gained.get(0), lost, steps, names);
    }

    /** The first of two steps. */
    private List<Sourced> movedAway(Rename lost, List<Rename> steps) {
        if (!hasCopy(lost.from())) {
            throw unsupported(
                    "RENAME to a hidden name only where an online schema change is under way whose copy was created in this"
                            + " stream",
                    "none of " + lost.from() + " at " + shown(steps)
                            + ". To take a table away for good, give it a name that ddl.hidden does not match, or drop it");
        }
        movedAway.put(lost.from(), lost.to());
        return List.of();
    }

    private List<Sourced> swapped(Rename gained, List<Rename> lost, List<Rename> steps, OutputNames names) {
        TableName table = gained.to();
        if (gained.from().equals(movedAway.get(table))) { // undone
            movedAway.remove(table);
            return List.of();
        }
        boolean inPlace = movedAway.containsKey(table)
                || lost.stream().anyMatch(one -> one.from().equals(table));
        List<Sourced> alters = copies.get(gained.from());
        if (!inPlace || alters == null) {
            throw unsupported(
                    "the statements that made and altered " + gained.from() + " before it became " + table,
                    "none in this stream since the node was started, at " + shown(steps));
        }
        copies.remove(gained.from());
        moveCopies(steps, names);
        movedAway.remove(table);
        return alters.stream().map(alter -> onTable(alter, table)).toList();
    }

    private static Sourced onTable(Sourced alter, TableName table) {
        StatementSession session = alter.session();
        String text = "ALTER TABLE " + quoted(table.schema()) + "." + quoted(table.table()) + " " + alter.items();
        return new Sourced(DdlStatement.parse(text, alter.statement().defaultSchema(), session.mode()), session, null);
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private void moveCopies(List<Rename> steps, OutputNames names) {
        for (Rename step : steps) {
            List<Sourced> alters = copies.remove(step.from());
            if (alters != null && isHidden(step.to(), names)) {
                copies.put(step.to(), alters);
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
                ErrorCode.DDL_UNSUPPORTED, "expected " + expected + ", found " + found + ". " + NOT_KNOWN);
    }
}
