package io.tributary.extractor.ddl;

import io.tributary.common.value.DdlKind;
import io.tributary.extractor.ddl.AlterItem.Role;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The parser of the items of an ALTER TABLE: it determines for each when it may be written (MySQL manual, "ALTER TABLE Statement"). */
final class AlterItems {
    private static final Set<String> CONSTRAINTS = Set.of("PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "CONSTRAINT");
    private static final Set<String> PLAIN_INDEXES = Set.of("INDEX", "KEY", "FULLTEXT", "SPATIAL");
    private static final Set<String> DROPPED_EARLY =
            Set.of("INDEX", "KEY", "PRIMARY", "FOREIGN", "CHECK", "CONSTRAINT");
    /** The first words of a statement about partitions, which has no further items. */
    private static final Set<String> OF_PARTITIONS = Set.of(
            "ADD",
            "DROP",
            "TRUNCATE",
            "EXCHANGE",
            "DISCARD",
            "IMPORT",
            "REORGANIZE",
            "COALESCE",
            "ANALYZE",
            "CHECK",
            "OPTIMIZE",
            "REBUILD",
            "REPAIR",
            "CONVERT");

    private static final Set<String> REMOVES_ROWS =
            Set.of("DROP", "TRUNCATE", "EXCHANGE", "DISCARD", "IMPORT", "CONVERT");
    private static final Set<String> MODIFIERS = Set.of("ALGORITHM", "LOCK");
    private static final Set<String> ORDERS = Set.of("ASC", "DESC");
    /** Words that cannot be names of columns without quotes. */
    private static final Set<String> BEGIN_ITEMS =
            Set.of("ADD", "ALTER", "CHANGE", "CONVERT", "DROP", "FORCE", "ORDER", "RENAME", "WITH", "PARTITION");

    private final SqlTokens tokens;
    private final List<AlterItem> items = new ArrayList<>();

    private AlterItems(SqlTokens tokens) {
        this.tokens = tokens;
    }

    /** The items from this token to the end. */
    static List<AlterItem> read(SqlTokens tokens, int from) {
        AlterItems reader = new AlterItems(tokens);
        int at = from;
        while (at < tokens.size()) {
            at = reader.item(at);
        }
        return reader.items;
    }

    /** Adds the item at this token and everything that follows it without a comma; returns the index at which the next one begins. */
    private int item(int from) {
        if (isOfPartitions(from)) {
            boolean removes = tokens.isOneOf(from, REMOVES_ROWS);
            int validation = tokens.size() - 2; // WITH or WITHOUT VALIDATION, at the end of EXCHANGE
            boolean hasValidation = validation > from && tokens.isWord(validation + 1, "VALIDATION");
            int end = hasValidation ? validation : tokens.size();
            add(Role.CHANGE, removes ? DdlKind.WAIT : DdlKind.EARLY, from, end);
            add(Role.MODIFIER, DdlKind.EARLY, end, tokens.size());
            return tokens.size();
        }
        int end = tokens.find(',', from, tokens.size());
        int tail = Math.min(tail("PARTITION", "BY", from, end), tail("REMOVE", "PARTITIONING", from, end));
        if (tail < end || isTail(from)) {
            end = tokens.size(); // LIST COLUMNS and similar clauses have commas only in parentheses
        }
        if (isTail(from)) {
            add(Role.TAIL, DdlKind.EARLY, from, end);
        } else {
            int to = Math.min(tail, end);
            if (tokens.areWords(from, "ORDER", "BY")) {
                to = orderEnd(to, end);
                end = Math.max(end, to);
            }
            classify(from, to);
            if (tail < end) {
                add(Role.TAIL, DdlKind.EARLY, tail, end);
            }
        }
        return end + 1;
    }

    private boolean isTail(int at) {
        return tokens.areWords(at, "PARTITION", "BY") || tokens.areWords(at, "REMOVE", "PARTITIONING");
    }

    private int tail(String first, String second, int from, int end) {
        int found = tokens.find(first, second, from + 1, end);
        return found == end ? Integer.MAX_VALUE : found;
    }

    private boolean isOfPartitions(int at) {
        if (!tokens.isOneOf(at, OF_PARTITIONS)) {
            return false;
        }
        boolean convertsTable = tokens.areWords(at, "CONVERT", "TABLE");
        return tokens.isWord(at + 1, "PARTITION") || convertsTable;
    }

    /** The index after the further columns of ORDER BY. */
    private int orderEnd(int to, int end) {
        int at = to;
        while (at == end && tokens.isSign(at, ',') && tokens.isName(at + 1) && !tokens.isOneOf(at + 1, BEGIN_ITEMS)) {
            int next = at + 2;
            while (tokens.isSign(next, '.')) {
                next += 2;
            }
            next += tokens.isOneOf(next, ORDERS) ? 1 : 0;
            if (next < tokens.size() && !tokens.isSign(next, ',')) {
                return at;
            }
            at = next;
            end = next;
        }
        return at;
    }

    private void classify(int from, int to) {
        switch (tokens.word(from)) {
            case "ADD" -> {
                DdlKind kind = ofAdd(tokens.word(from + 1));
                if (kind == DdlKind.FORWARD && isGenerated(from, to)) {
                    add(Role.GENERATED, DdlKind.LATE, from, to);
                } else {
                    add(Role.CHANGE, kind, from, to);
                }
            }
            case "DROP" -> {
                boolean early = tokens.isOneOf(from + 1, DROPPED_EARLY);
                add(Role.CHANGE, early ? DdlKind.EARLY : DdlKind.FORWARD, from, to);
            }
            case "ALTER" -> add(Role.CHANGE, ofAlter(from, to), from, to);
            case "RENAME" -> {
                if (tokens.isWord(from + 1, "INDEX") || tokens.isWord(from + 1, "KEY")) {
                    add(Role.CHANGE, DdlKind.EARLY, from, to);
                } else {
                    boolean column = tokens.isWord(from + 1, "COLUMN");
                    add(column ? Role.CHANGE : Role.RENAME, DdlKind.FORWARD, from, to);
                }
            }
            case "DISCARD", "IMPORT" -> add(Role.CHANGE, DdlKind.WAIT, from, to);
            case "FORCE", "ENABLE", "DISABLE", "ORDER" -> add(Role.CHANGE, DdlKind.EARLY, from, to);
            default -> options(from, to);
        }
    }

    /** Whether one column is added that is computed from others. */
    private boolean isGenerated(int from, int to) {
        int as = from;
        while (as < to && !(tokens.isWord(as, "AS") && tokens.isSign(as + 1, '('))) {
            as = tokens.isSign(as, '(') ? tokens.afterParentheses(as) : as + 1;
        }
        return as < to;
    }

    private static DdlKind ofAdd(String word) {
        if (CONSTRAINTS.contains(word)) {
            return DdlKind.LATE;
        }
        return PLAIN_INDEXES.contains(word) ? DdlKind.EARLY : DdlKind.FORWARD;
    }

    /** The kind of an ALTER item. A constraint that is enforced from now on counts as added. */
    private DdlKind ofAlter(int from, int to) {
        if (tokens.isWord(from + 1, "INDEX") || tokens.isWord(from + 1, "KEY")) {
            return DdlKind.EARLY;
        }
        if (tokens.isWord(from + 1, "CHECK") || tokens.isWord(from + 1, "CONSTRAINT")) {
            return tokens.isWord(to - 2, "NOT") ? DdlKind.EARLY : DdlKind.LATE;
        }
        int column = tokens.isWord(from + 1, "COLUMN") ? from + 2 : from + 1;
        boolean ofDefault =
                tokens.areWords(column + 1, "SET", "DEFAULT") || tokens.areWords(column + 1, "DROP", "DEFAULT");
        return ofDefault ? DdlKind.EARLY : DdlKind.FORWARD;
    }

    private void options(int from, int to) {
        boolean validation = tokens.isWord(from + 1, "VALIDATION")
                && (tokens.isWord(from, "WITH") || tokens.isWord(from, "WITHOUT"));
        if (validation || tokens.isOneOf(from, MODIFIERS)) {
            add(Role.MODIFIER, DdlKind.EARLY, from, to);
        } else if (TableOptions.length(tokens, from, to) == 0) {
            add(Role.CHANGE, DdlKind.FORWARD, from, to); // MODIFY, CHANGE, CONVERT, and unknown items
        } else {
            eachOption(from, to);
        }
    }

    private void eachOption(int from, int to) {
        int begun = from;
        for (int at = from; at < to; ) {
            int length = TableOptions.length(tokens, at, to);
            if (length == 0) {
                add(Role.CHANGE, DdlKind.FORWARD, begun, to);
                return;
            }
            Role role = tokens.isWord(at, "TABLESPACE")
                    ? Role.TABLESPACE
                    : TableOptions.isStorage(tokens.word(at)) ? Role.OPTION : Role.CHANGE;
            add(role, DdlKind.EARLY, at, at + length);
            at += length;
            begun = at;
        }
    }

    private void add(Role role, DdlKind kind, int from, int to) {
        if (from < to) {
            items.add(new AlterItem(role, kind, from, to));
        }
    }
}
