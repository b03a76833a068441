package io.tributary.extractor.ddl;

import io.tributary.common.value.DdlKind;
import io.tributary.extractor.ddl.AlterItem.Role;
import io.tributary.schema.sql.SqlTokens;
import java.util.List;
import java.util.Set;

/**
 * The items of one ALTER TABLE, and which of them are written together. Added constraints and generated columns are written last, in a
 * statement of their own, together with the indexes of such columns. The items stay together in two cases. First, if the first statement
 * would be refused without them: an AUTO_INCREMENT column needs its key, so the items stay together if such a column is created or changed, or
 * if a key replaces a primary key, whose column may be AUTO_INCREMENT. Second, if columns would get another order than on the shard, because a
 * generated column would be added last.
 */
final class AlterParts {
    private static final Set<String> COLUMN_ITEMS = Set.of("ADD", "MODIFY", "CHANGE");

    private static final Set<String> KEYS = Set.of("PRIMARY", "UNIQUE");

    private final SqlTokens tokens;
    private List<AlterItem> items;

    AlterParts(SqlTokens tokens, List<AlterItem> items) {
        this.tokens = tokens;
        this.items = items;
    }

    boolean removesRows() {
        return items.stream().anyMatch(item -> item.kind() == DdlKind.WAIT);
    }

    boolean isRename() {
        return items.stream().anyMatch(item -> item.is(Role.RENAME));
    }

    /** Whether the items have no effect except a new name. */
    boolean onlyRenames(List<AlterItem> selected) {
        return selected.stream()
                .allMatch(item -> item.is(Role.RENAME) || item.is(Role.OPTION) || item.is(Role.MODIFIER));
    }

    /** Whether no item is left that has an effect. */
    boolean isNothing() {
        return items.stream().allMatch(item -> item.is(Role.MODIFIER));
    }

    /** Removes the items that name a tablespace; returns whether there was one. */
    boolean leaveOutTablespaces(Edits edits) {
        return leaveOut(Role.TABLESPACE, edits);
    }

    /** Removes RENAME: both names are the same in the output. */
    void leaveOutRename(Edits edits) {
        leaveOut(Role.RENAME, edits);
    }

    private boolean leaveOut(Role role, Edits edits) {
        int before = items.size();
        for (AlterItem item : items) {
            if (item.is(role) && item.equals(items.get(0))) {
                edits.leaveOutFirst(item.from(), item.to());
            } else if (item.is(role)) {
                edits.leaveOut(item.from(), item.to());
            }
        }
        items = items.stream().filter(item -> !item.is(role)).toList();
        return items.size() < before;
    }

    List<AlterItem> all() {
        return items;
    }

    boolean isSplit() {
        boolean adds = items.stream().anyMatch(this::isLate);
        boolean others =
                items.stream().anyMatch(item -> !item.is(Role.MODIFIER) && !item.is(Role.TAIL) && !isLate(item));
        return adds && others && !staysTogether();
    }

    private boolean staysTogether() {
        return needsKeyAtOnce() || isPlacedAfterGenerated();
    }

    /**
     * Whether columns would get another order without the generated ones between them: each item is applied to the columns that result from the
     * items before it.
     */
    private boolean isPlacedAfterGenerated() {
        boolean isAfterPlaced = false;
        boolean isAfterLast = false;
        for (AlterItem item : items) {
            boolean isPlaced = isPlaced(item);
            if (item.is(Role.GENERATED)) {
                isAfterPlaced |= isPlaced;
                isAfterLast |= !isPlaced;
            } else if (item.kind() == DdlKind.FORWARD) {
                boolean isLast = tokens.isWord(item.from(), "ADD") && !isPlaced;
                boolean isAfter = isAfterPlaced || isAfterLast;
                if (isAfterPlaced && isPlaced || isAfterLast && isLast || isAfter && namesGenerated(item)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether it ends with FIRST or AFTER a column. */
    private boolean isPlaced(AlterItem item) {
        return tokens.isWord(item.to() - 1, "FIRST") || tokens.isWord(item.to() - 2, "AFTER");
    }

    /** Whether it names a generated column that is added. */
    private boolean namesGenerated(AlterItem item) {
        for (AlterItem other : items) {
            for (int at = item.from(); other.is(Role.GENERATED) && at < item.to(); at++) {
                boolean isNamed = tokens.isName(at) && tokens.get(at).value().equalsIgnoreCase(generated(other));
                if (isNamed && !other.equals(item)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The column that an item adds. */
    private String generated(AlterItem item) {
        int at = item.from() + 1;
        at = tokens.afterIfExists(tokens.isWord(at, "COLUMN") ? at + 1 : at);
        return tokens.get(at).value();
    }

    private boolean needsKeyAtOnce() {
        boolean adds = items.stream().anyMatch(this::addsKey);
        boolean drops = items.stream().anyMatch(item -> tokens.areWords(item.from(), "DROP", "PRIMARY"));
        return adds && drops || items.stream().anyMatch(this::makesAutoIncrement);
    }

    private boolean addsKey(AlterItem item) {
        if (!tokens.isWord(item.from(), "ADD")) {
            return false;
        }
        int at = item.from() + 1;
        if (tokens.isWord(at, "CONSTRAINT")) {
            at = tokens.afterIfExists(at + 1);
            at += tokens.isOneOf(at, KEYS) ? 0 : 1;
        }
        return tokens.isOneOf(at, KEYS);
    }

    private boolean makesAutoIncrement(AlterItem item) {
        if (item.kind() != DdlKind.FORWARD || !tokens.isOneOf(item.from(), COLUMN_ITEMS)) {
            return false;
        }
        for (int at = item.from(); at < item.to(); at++) {
            if (tokens.isWord(at, "AUTO_INCREMENT")) {
                return true;
            }
        }
        return false;
    }

    private boolean isLate(AlterItem item) {
        boolean isOfGenerated = item.kind() == DdlKind.EARLY && item.is(Role.CHANGE) && namesGenerated(item);
        return item.kind() == DdlKind.LATE || isOfGenerated && addsIndex(item);
    }

    private boolean addsIndex(AlterItem item) {
        return tokens.isWord(item.from(), "ADD");
    }

    /** The items that are written first if the statement is split, without the clauses on how it was executed on the shard. */
    List<AlterItem> early() {
        return items.stream()
                .filter(item -> !isLate(item) && !item.is(Role.MODIFIER) && !item.is(Role.TAIL))
                .toList();
    }

    /** The items that are written last if the statement is split; partitions are among them, because keys must contain their columns. */
    List<AlterItem> late() {
        return items.stream().filter(item -> isLate(item) || item.is(Role.TAIL)).toList();
    }

    /** The text of items, as it follows ALTER TABLE and a name. */
    String text(List<AlterItem> selected, Edits edits) {
        StringBuilder out = new StringBuilder();
        for (AlterItem item : selected) {
            out.append(out.isEmpty() ? "" : item.is(Role.TAIL) ? " " : ", ").append(edits.of(item.from(), item.to()));
        }
        return out.toString();
    }

    DdlKind kind(List<AlterItem> selected) {
        boolean isWhole = selected.equals(items)
                && staysTogether()
                && selected.stream().anyMatch(item -> item.is(Role.GENERATED));
        if (isWhole || selected.stream().anyMatch(item -> item.kind() == DdlKind.FORWARD)) {
            return DdlKind.FORWARD;
        }
        boolean onlyLate = selected.stream().anyMatch(this::isLate)
                && selected.stream().allMatch(item -> isLate(item) || item.is(Role.MODIFIER) || item.is(Role.TAIL));
        return onlyLate ? DdlKind.LATE : DdlKind.EARLY;
    }

    boolean reshapes(List<AlterItem> selected) {
        return selected.stream()
                .anyMatch(item -> item.kind() == DdlKind.FORWARD && !item.is(Role.RENAME) || item.is(Role.GENERATED));
    }

    boolean isConditional(List<AlterItem> selected) {
        for (AlterItem item : selected) {
            for (int at = item.from(); at < item.to(); at++) {
                if (tokens.afterIfExists(at) > at) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Adds the items with an effect; if there are none, only the first words of the options. */
    void identify(List<AlterItem> selected, Identity identity) {
        boolean counts = selected.stream().anyMatch(item -> !item.is(Role.MODIFIER) && !item.is(Role.OPTION));
        for (AlterItem item : selected) {
            if (item.is(Role.OPTION) && !counts) {
                identity.add(tokens.word(item.from()));
            } else if (!item.is(Role.OPTION) && !item.is(Role.MODIFIER)) {
                identity.item(item);
            }
        }
    }
}
