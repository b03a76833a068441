package io.tributary.extractor.ddl;

import io.tributary.common.value.DdlKind;
import io.tributary.extractor.ddl.AlterItem.Role;
import io.tributary.schema.sql.SqlTokens;
import java.util.List;
import java.util.Set;

/**
 * The items of one ALTER TABLE, and which of them are written together. Constraints and generated columns that are added make a statement of their
 * own, which is written last, with the indexes of such columns. Not where the first statement would be refused without them: an AUTO_INCREMENT
 * column needs its key, and so the items stay together where such a column is made or changed, or where a key takes the place of a primary key,
 * whose column may be one. Nor where columns would stand in another order than on the shard, behind a generated column that comes last.
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

    /** Whether they do nothing else that makes a difference. */
    boolean onlyRenames(List<AlterItem> some) {
        return some.stream().allMatch(item -> item.is(Role.RENAME) || item.is(Role.OPTION) || item.is(Role.MODIFIER));
    }

    /** Whether no item is left that changes anything. */
    boolean isNothing() {
        return items.stream().allMatch(item -> item.is(Role.MODIFIER));
    }

    /** Leaves out the items that name a tablespace; whether there was one. */
    boolean leaveOutTablespaces(Edits edits) {
        return leaveOut(Role.TABLESPACE, edits);
    }

    /** Leaves out RENAME: both names are one in the output. */
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
        return needsKeyAtOnce() || isPlacedBehindGenerated();
    }

    /**
     * Whether columns would come to stand in another order without the generated ones between them: each item finds the columns as those before it
     * have left them.
     */
    private boolean isPlacedBehindGenerated() {
        boolean isBehindPlaced = false;
        boolean isBehindLast = false;
        for (AlterItem item : items) {
            boolean isPlaced = isPlaced(item);
            if (item.is(Role.GENERATED)) {
                isBehindPlaced |= isPlaced;
                isBehindLast |= !isPlaced;
            } else if (item.kind() == DdlKind.FORWARD) {
                boolean isLast = tokens.isWord(item.from(), "ADD") && !isPlaced;
                boolean isBehind = isBehindPlaced || isBehindLast;
                if (isBehindPlaced && isPlaced || isBehindLast && isLast || isBehind && namesGenerated(item)) {
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
        at = tokens.behindIfExists(tokens.isWord(at, "COLUMN") ? at + 1 : at);
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
            at = tokens.behindIfExists(at + 1);
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

    /** What is written first, of one that is split. How it was run on the shard need not hold for it. */
    List<AlterItem> early() {
        return items.stream()
                .filter(item -> !isLate(item) && !item.is(Role.MODIFIER) && !item.is(Role.TAIL))
                .toList();
    }

    /** What is written last, of one that is split; partitions with it, since keys have to hold their columns. */
    List<AlterItem> late() {
        return items.stream().filter(item -> isLate(item) || item.is(Role.TAIL)).toList();
    }

    /** Items as they follow ALTER TABLE and a name. */
    String text(List<AlterItem> some, Edits edits) {
        StringBuilder out = new StringBuilder();
        for (AlterItem item : some) {
            out.append(out.isEmpty() ? "" : item.is(Role.TAIL) ? " " : ", ").append(edits.of(item.from(), item.to()));
        }
        return out.toString();
    }

    DdlKind kind(List<AlterItem> some) {
        boolean isWhole =
                some.equals(items) && staysTogether() && some.stream().anyMatch(item -> item.is(Role.GENERATED));
        if (isWhole || some.stream().anyMatch(item -> item.kind() == DdlKind.FORWARD)) {
            return DdlKind.FORWARD;
        }
        boolean onlyLate = some.stream().anyMatch(this::isLate)
                && some.stream().allMatch(item -> isLate(item) || item.is(Role.MODIFIER) || item.is(Role.TAIL));
        return onlyLate ? DdlKind.LATE : DdlKind.EARLY;
    }

    boolean reshapes(List<AlterItem> some) {
        return some.stream()
                .anyMatch(item -> item.kind() == DdlKind.FORWARD && !item.is(Role.RENAME) || item.is(Role.GENERATED));
    }

    boolean isConditional(List<AlterItem> some) {
        for (AlterItem item : some) {
            for (int at = item.from(); at < item.to(); at++) {
                if (tokens.behindIfExists(at) > at) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Adds what makes a difference; where nothing does, only what the statement is about. */
    void identify(List<AlterItem> some, Identity identity) {
        boolean counts = some.stream().anyMatch(item -> !item.is(Role.MODIFIER) && !item.is(Role.OPTION));
        for (AlterItem item : some) {
            if (item.is(Role.OPTION) && !counts) {
                identity.add(tokens.word(item.from()));
            } else if (!item.is(Role.OPTION) && !item.is(Role.MODIFIER)) {
                identity.item(item);
            }
        }
    }
}
