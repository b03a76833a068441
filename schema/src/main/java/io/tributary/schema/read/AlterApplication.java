package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.Generation;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.KeyReference;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.AlterText.ColumnItem;
import io.tributary.schema.read.AlterText.DefaultItem;
import io.tributary.schema.read.AlterText.DropItem;
import io.tributary.schema.read.AlterText.Dropped;
import io.tributary.schema.read.AlterText.FlagItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Applies an ALTER TABLE as MySQL does (mysql_prepare_alter_table): items that drop, rename and change use the names before the
 * statement, AFTER and new keys use the names after it; columns without a position keep theirs, others are put in the order of
 * the items.
 */
final class AlterApplication {
    /** A column during the alteration, with its old name, "" for a new column. */
    private record Slot(String old, Column column) {}

    /** The last MySQL version known to keep a check without columns when a column is dropped, and the first one known to drop it. */
    private static final int KEEPS_CONSTANT_CHECKS = 80031;

    private static final int DROPS_CONSTANT_CHECKS = 90704;

    private static final Set<String> WIDE = Set.of("ucs2", "utf16", "utf16le", "utf32");
    private static final Set<String> PREFIXED = Set.of("char", "varchar", "binary", "varbinary");

    private final TableDefinition before;
    private final AlterText text;
    private final ReadSession session;
    private final String collation;
    private final List<Slot> slots = new ArrayList<>();

    AlterApplication(TableDefinition before, AlterText text, ReadSession session) {
        this.before = before;
        this.text = text;
        this.session = session;
        boolean isTwo = !text.collation().isEmpty() && !text.converted().isEmpty();
        if (isTwo && !text.collation().equals(text.converted())) {
            throw new UnreadableStatementException("two default collations, of which the later one is used");
        }
        String wanted = text.collation().isEmpty() ? text.converted() : text.collation();
        this.collation = wanted.isEmpty() ? before.collation() : wanted;
    }

    TableDefinition apply() {
        keepColumns();
        putColumns();
        Set<String> old = slots.stream()
                .filter(slot -> !slot.old().isEmpty() && change(slot.old()).isEmpty())
                .map(slot -> slot.column().name())
                .collect(Collectors.toSet());
        List<Column> columns =
                TimestampRules.apply(slots.stream().map(Slot::column).toList(), old, session);
        TableName name = before.name();
        TableBuilder builder = new TableBuilder(name, collation, columns, session.mariadb());
        builder.keep(keys(), foreignKeys(), checks());
        builder.add(text.added());
        text.columns().stream().filter(ColumnItem::ifExists).forEach(item -> addAt(item, builder));
        TableDefinition made = builder.build();
        return text.newName() == null ? made : made.named(text.newName());
    }

    private static boolean same(String a, String b) {
        return a.equalsIgnoreCase(b);
    }

    private boolean isDropped(String column) {
        return text.drops().stream().anyMatch(drop -> drop.kind() == Dropped.COLUMN && same(drop.name(), column));
    }

    private Optional<ColumnItem> change(String column) {
        return text.columns().stream().filter(item -> same(item.old(), column)).findFirst();
    }

    /** Keeps the remaining columns, in their order, except those that get another position. */
    private void keepColumns() {
        requireKnown();
        for (Column column : before.columns()) {
            if (isDropped(column.name())) {
                continue;
            }
            ColumnItem change = change(column.name()).orElse(null);
            requireSameConstants(column, change);
            if (change == null) {
                slots.add(new Slot(column.name(), altered(column)));
            } else if (change.place().equals(AlterText.Place.SAME)) {
                slots.add(new Slot(column.name(), resolved(change)));
            }
        }
    }

    /** MariaDB writes constants in expressions with a column in the form of the column's type. */
    private void requireSameConstants(Column column, ColumnItem change) {
        boolean isUsed = change != null
                && session.mariadb()
                && before.columns().stream()
                        .flatMap(other -> other.generation().stream())
                        .anyMatch(own -> Expressions.columns(own.expression())
                                .contains(column.name().toLowerCase(Locale.ROOT)));
        SqlType type = isUsed ? resolved(change).type() : column.type();
        if (type.isCharacter() && !type.collation().equals(column.type().collation())) {
            throw new UnreadableStatementException("another type of a column that is used in an expression");
        }
    }

    private void requireKnown() {
        for (DropItem drop : text.drops()) {
            boolean unknown = drop.kind() == Dropped.COLUMN && before.indexOf(drop.name()) < 0;
            if (unknown && !drop.ifExists()) {
                throw new UnreadableStatementException("no column " + drop.name());
            }
        }
        Stream.concat(
                        text.renamedColumns().keySet().stream(),
                        text.defaults().stream().map(DefaultItem::column))
                .filter(column -> !text.ifExists().contains(column.toLowerCase(Locale.ROOT)))
                .forEach(this::requireColumn);
        text.columnVisibility().forEach(item -> requireColumn(item.name()));
        for (ColumnItem item : text.columns()) {
            if (!item.old().isEmpty() && !item.ifExists()) {
                requireColumn(item.old());
            }
        }
    }

    private void requireColumn(String column) {
        if (before.indexOf(column) < 0) {
            throw new UnreadableStatementException("no column " + column);
        }
    }

    private Column resolved(ColumnItem item) {
        RawColumn column = item.column();
        String name = column.type().name();
        boolean openText = column.type().length() < 0 && (name.endsWith("text") || name.endsWith("blob"));
        if (!text.converted().isEmpty() && !item.old().isEmpty() && openText) {
            throw new UnreadableStatementException(
                    "a text that is changed and converted: its new length depends on the server");
        }
        boolean isUndone = text.drops().stream()
                        .anyMatch(drop -> drop.kind() == Dropped.COLUMN && same(drop.name(), item.old()))
                || text.defaults().stream().anyMatch(own -> own.value() == null && same(own.column(), item.old()));
        boolean isTwice = !item.old().isEmpty()
                && text.columns().stream()
                                .filter(own -> same(own.old(), item.old()))
                                .count()
                        > 1;
        if (session.mariadb() && (isUndone || isTwice)) {
            throw new UnreadableStatementException(
                    "two items about one column, of which MariaDB uses one or the other");
        }
        Column made = (text.converted().isEmpty() ? column : column.convertedTo(text.converted()))
                .resolve(collation, session);
        return session.mariadb() && !item.old().isEmpty() ? withDefault(made, item.old()) : made;
    }

    /** A column that keeps its definition; its name, default and visibility may change. */
    private Column altered(Column column) {
        String name = text.renamedColumns().getOrDefault(column.name().toLowerCase(Locale.ROOT), column.name());
        Column made = withDefault(renamedWithin(converted(column).named(name)), column.name());
        for (FlagItem item : text.columnVisibility()) {
            made = same(item.name(), column.name()) ? made.withVisible(item.on()) : made;
        }
        return made;
    }

    /** The column with the default that an ALTER COLUMN sets by its old name. */
    private Column withDefault(Column column, String old) {
        Column made = column;
        for (DefaultItem item : text.defaults()) {
            if (same(item.column(), old)
                    && !column.autoIncrement()
                    && column.generation().isEmpty()) {
                if (session.mariadb() && !made.onUpdate().isEmpty()) {
                    throw new UnreadableStatementException(
                            "another default of a column with ON UPDATE, which MariaDB may remove");
                }
                Default implied = made.nullable() ? Default.NULL : Default.NONE;
                made = made.withDefault(
                        item.value() == null ? implied : item.value().resolve(made.type(), session));
            }
        }
        return made;
    }

    /** Old names in lower case and new names; also those of CHANGE. */
    private Map<String, String> renames() {
        Map<String, String> names = new HashMap<>(text.renamedColumns());
        for (ColumnItem item : text.columns()) {
            if (!item.old().isEmpty() && !isNeedless(item)) {
                names.put(item.old().toLowerCase(Locale.ROOT), item.column().name());
            }
        }
        return names;
    }

    /** MariaDB also renames columns in expressions; MySQL refuses such a statement. */
    private Column renamedWithin(Column column) {
        Map<String, String> names = renames();
        if (names.isEmpty()) {
            return column;
        }
        Optional<Generation> generation = column.generation()
                .map(own -> new Generation(Expressions.renamed(own.expression(), names), own.stored()));
        Default value = column.defaultValue() instanceof Default.Expression own
                ? new Default.Expression(Expressions.renamed(own.text(), names))
                : column.defaultValue();
        return new Column(
                column.name(),
                column.type(),
                column.nullable(),
                value,
                generation,
                column.autoIncrement(),
                column.onUpdate(),
                column.visible());
    }

    /** Adds new columns, and changed ones that get another position. */
    private void putColumns() {
        for (ColumnItem item : text.columns()) {
            boolean inPlace = !item.old().isEmpty() && item.place().equals(AlterText.Place.SAME);
            if (!inPlace && !isNeedless(item)) {
                slots.add(place(item), new Slot(item.old(), resolved(item)));
            }
        }
    }

    /** For a new column that exists already MariaDB still adds the keys. */
    private void addAt(ColumnItem item, TableBuilder builder) {
        if (item.added().keys().stream().anyMatch(key -> key.kind() == TableKey.Kind.PRIMARY)) {
            throw new UnreadableStatementException(
                    "a primary key at a column that may exist: it stays NOT NULL without the key");
        }
        item.added().addKeysIfMissing();
        if (isNeedless(item)) {
            item.added().removeConstraints();
        }
        builder.add(item.added());
    }

    private boolean isNeedless(ColumnItem item) {
        boolean isThere = before.indexOf(item.old().isEmpty() ? item.column().name() : item.old()) >= 0;
        return item.ifExists() && isThere == item.old().isEmpty();
    }

    private int place(ColumnItem item) {
        if (item.place().first()) {
            return 0;
        }
        if (item.place().after().isEmpty()) {
            return slots.size();
        }
        for (int i = 0; i < slots.size(); i++) {
            if (same(slots.get(i).column().name(), item.place().after())) {
                return i + 1;
            }
        }
        throw new UnreadableStatementException("no column " + item.place().after());
    }

    private Column converted(Column column) {
        if (text.converted().isEmpty()) {
            return column;
        }
        boolean isWide =
                column.type().hasValues() && WIDE.contains(column.type().charset());
        if (isWide && (text.converted().equals("binary") || column.defaultValue() instanceof Default.Literal)) {
            throw new UnreadableStatementException(
                    "values of two bytes per character, whose default a server may change");
        }
        SqlType type = TextTypes.converted(column.type(), text.converted());
        boolean becomesBytes = type.name().endsWith("binary") && column.type().isCharacter();
        return becomesBytes && column.defaultValue() instanceof Default.Literal literal
                ? column.withType(type)
                        .withDefault(new Default.Literal(ValueTexts.bytes(literal.value(), column.type())))
                : column.withType(type);
    }

    private List<TableKey> keys() {
        List<TableKey> kept = new ArrayList<>();
        for (TableKey key : before.keys()) {
            if (isDroppedKey(key)) {
                continue;
            }
            if (key.parts().stream().anyMatch(part -> isMadeAgain(part.column()))) {
                throw new UnreadableStatementException(
                        "a column of a key that is dropped and added, so that a server keeps the key");
            }
            List<KeyPart> parts = key.parts().stream()
                    .map(this::part)
                    .flatMap(Optional::stream)
                    .toList();
            if (!parts.isEmpty()) {
                String name = text.renamedKeys().getOrDefault(key.name().toLowerCase(Locale.ROOT), key.name());
                kept.add(withVisibility(key.withParts(parts)).named(name));
            }
        }
        text.drops().forEach(this::requireClear);
        requireDroppedKeys();
        text.renamedKeys().keySet().stream()
                .filter(key -> !text.ifExists().contains(key))
                .forEach(this::requireKey);
        return kept;
    }

    /** Requires that it is clear what DROP CONSTRAINT drops if a key has the name of a column's check. */
    private void requireClear(DropItem drop) {
        boolean isTwo = drop.kind() == Dropped.CONSTRAINT
                && before.checks().stream().anyMatch(check -> isOfColumn(check) && same(check.name(), drop.name()))
                && before.keys().stream().anyMatch(key -> same(key.name(), drop.name()));
        if (isTwo) {
            throw new UnreadableStatementException(
                    "a key and a column's check with one name, of which MariaDB drops one or none");
        }
    }

    private boolean isMadeAgain(String column) {
        return isDropped(column)
                && text.columns().stream().anyMatch(item -> same(item.column().name(), column));
    }

    private boolean isDroppedKey(TableKey key) {
        return text.drops().stream()
                .anyMatch(drop -> same(drop.name(), key.name())
                        && (drop.kind() == Dropped.KEY || (drop.kind() == Dropped.CONSTRAINT && key.isUnique())));
    }

    private void requireDroppedKeys() {
        for (DropItem drop : text.drops()) {
            if (drop.kind() == Dropped.KEY && !drop.ifExists()) {
                requireKey(drop.name());
            }
        }
    }

    private void requireKey(String name) {
        if (before.keys().stream().noneMatch(key -> same(key.name(), name))) {
            throw new UnreadableStatementException("no key " + name);
        }
    }

    private TableKey withVisibility(TableKey key) {
        TableKey made = key;
        for (FlagItem item : text.keyVisibility()) {
            made = same(item.name(), key.name()) ? made.withVisible(item.on()) : made;
        }
        return made;
    }

    /** The part with its column's new name; empty if the column is dropped. */
    private Optional<KeyPart> part(KeyPart part) {
        if (part.isExpression()) {
            String expression = Expressions.renamed(part.expression(), renames());
            return Optional.of(new KeyPart("", 0, part.descending(), expression));
        }
        for (Slot slot : slots) {
            if (same(slot.old(), part.column())) {
                Column was = before.column(part.column()).orElseThrow();
                boolean isOther =
                        was.type().isGeometry() != slot.column().type().isGeometry();
                if (session.mariadb() && isOther) {
                    throw new UnreadableStatementException("a key of a column that is or becomes a geometry");
                }
                boolean ofValues = was.type().hasValues() && !session.mariadb();
                int own = ofValues ? ValueTexts.keyCharacters(was.type()) : part.prefix();
                int prefix = keepsPrefix(was.type(), slot.column().type(), own) ? own : 0;
                return Optional.of(part.withColumn(slot.column().name()).withPrefix(prefix));
            }
        }
        return Optional.empty();
    }

    /** A prefix is removed if the column cannot have one, or is shorter. */
    private boolean keepsPrefix(SqlType was, SqlType is, int prefix) {
        boolean canHaveOne = hasPrefix(was) && hasPrefix(is);
        boolean shorter = PREFIXED.contains(is.name()) && is.length() < prefix;
        boolean shorterText = is.name().startsWith("tiny") && prefix > 0xFF;
        return canHaveOne && !shorter && !shorterText;
    }

    private boolean hasPrefix(SqlType type) {
        return PREFIXED.contains(type.name())
                || type.isText()
                || type.name().endsWith("blob")
                || type.hasValues()
                || (session.mariadb() && type.isGeometry());
    }

    private List<ForeignKey> foreignKeys() {
        text.drops().forEach(this::requireForeignKey);
        List<ForeignKey> kept = new ArrayList<>();
        for (ForeignKey key : before.foreignKeys()) {
            boolean dropped = text.drops().stream()
                    .anyMatch(drop -> same(drop.name(), key.name())
                            && (drop.kind() == Dropped.FOREIGN_KEY || drop.kind() == Dropped.CONSTRAINT));
            if (!dropped) {
                kept.add(renamed(key));
            }
        }
        return kept;
    }

    private void requireForeignKey(DropItem drop) {
        boolean isThere = before.foreignKeys().stream().anyMatch(key -> same(key.name(), drop.name()));
        boolean isOther = drop.kind() == Dropped.CONSTRAINT
                && (before.checks().stream().anyMatch(check -> same(check.name(), drop.name()))
                        || before.keys().stream().anyMatch(key -> same(key.name(), drop.name())));
        boolean mayBe = drop.kind() == Dropped.FOREIGN_KEY || drop.kind() == Dropped.CONSTRAINT;
        if (mayBe && !drop.ifExists() && !isThere && !isOther) {
            throw new UnreadableStatementException("no foreign key or constraint " + drop.name());
        }
    }

    private ForeignKey renamed(ForeignKey key) {
        return new ForeignKey(
                key.name(),
                key.columns().stream().map(this::newName).toList(),
                new KeyReference(
                        key.referenced(),
                        key.referenced().equals(before.name())
                                ? key.referencedColumns().stream()
                                        .map(this::newName)
                                        .toList()
                                : key.referencedColumns(),
                        key.onDelete(),
                        key.onUpdate()));
    }

    private String newName(String old) {
        return slots.stream()
                .filter(slot -> same(slot.old(), old))
                .map(slot -> slot.column().name())
                .findFirst()
                .orElse(old);
    }

    private List<Check> checks() {
        for (DropItem drop : text.drops()) {
            if (drop.kind() == Dropped.CHECK
                    && !drop.ifExists()
                    && before.checks().stream().noneMatch(check -> same(check.name(), drop.name()))) {
                throw new UnreadableStatementException("no check " + drop.name());
            }
        }
        List<Check> kept = new ArrayList<>();
        Map<String, String> names = renames();
        for (Check check : before.checks()) {
            if (isDropped(check)) {
                continue;
            }
            boolean enforced = check.enforced();
            for (FlagItem item : text.enforcement()) {
                enforced = same(item.name(), check.name()) ? item.on() : enforced;
            }
            String name = isOfColumn(check) ? newName(check.name()) : check.name();
            kept.add(new Check(name, Expressions.renamed(check.expression(), names), enforced));
        }
        return kept;
    }

    /** A check is dropped with its columns: in MySQL one on a single column, in MariaDB also one on several. */
    private boolean isDropped(Check check) {
        boolean named = text.drops().stream()
                .anyMatch(drop -> same(drop.name(), check.name())
                        && (drop.kind() == Dropped.CHECK || drop.kind() == Dropped.CONSTRAINT)
                        && !(isOfColumn(check) && isOfOther(drop)));
        Set<String> columns = Expressions.columns(check.expression());
        if (named || isOfColumn(check)) {
            return named || isGoneWithColumn(check);
        }
        boolean dropsColumn = text.drops().stream()
                        .anyMatch(drop -> drop.kind() == Dropped.COLUMN && before.indexOf(drop.name()) >= 0)
                || dropsHiddenColumn();
        if (!dropsColumn) {
            return false;
        }
        return columns.isEmpty() ? isDroppedWithAny() : columns.stream().allMatch(this::isDropped);
    }

    /** Whether MariaDB stores the check as a part of its column; it then has the column's name here. */
    private boolean isOfColumn(Check check) {
        return session.mariadb() && before.indexOf(check.name()) >= 0;
    }

    /** Whether a DROP CONSTRAINT may have no effect, or drop a key. */
    private boolean isOfOther(DropItem drop) {
        return drop.ifExists()
                || before.keys().stream().anyMatch(key -> key.isUnique() && same(key.name(), drop.name()))
                || before.foreignKeys().stream().anyMatch(key -> same(key.name(), drop.name()));
    }

    /** Whether its column is dropped, or gets another definition. */
    private boolean isGoneWithColumn(Check check) {
        return isDropped(check.name()) || change(check.name()).isPresent();
    }

    /** Whether a hidden column is dropped; MySQL has one for each key part that is an expression. */
    private boolean dropsHiddenColumn() {
        return before.keys().stream()
                .anyMatch(key -> isDroppedKey(key) && key.parts().stream().anyMatch(KeyPart::isExpression));
    }

    /** Whether a check without columns is dropped with any column: newer servers only check whether a needed column stays. */
    private boolean isDroppedWithAny() {
        if (session.mariadb() || session.version() >= DROPS_CONSTANT_CHECKS) {
            return true;
        }
        if (session.version() > KEEPS_CONSTANT_CHECKS) {
            throw new UnreadableStatementException("a check without columns and a dropped column: servers differ");
        }
        return false;
    }
}
