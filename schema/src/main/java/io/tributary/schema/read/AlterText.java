package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The items of an ALTER TABLE before it is applied. */
final class AlterText {
    /** The position of a column; "" if none is given. */
    record Place(boolean first, String after) {
        static final Place SAME = new Place(false, "");
    }

    /**
     * A column that is added or changed.
     *
     * @param old the name of the column that it changes; "" for a new one
     * @param ifExists whether it has no effect if the column does not exist, or if a new one exists already
     * @param added keys and constraints in its definition
     */
    record ColumnItem(RawColumn column, String old, Place place, boolean ifExists, TableText added) {}

    /** A column's default, null for DROP DEFAULT. */
    record DefaultItem(String column, RawDefault value) {}

    /** A column, key or check whose visibility or enforcement is set. */
    record FlagItem(String name, boolean on) {}

    /** A dropped item. */
    record DropItem(Dropped kind, String name, boolean ifExists) {}

    /** Kinds of dropped items. */
    enum Dropped {
        COLUMN,
        KEY,
        FOREIGN_KEY,
        CHECK,
        CONSTRAINT
    }

    private final TableText added = new TableText();
    private final List<ColumnItem> columns = new ArrayList<>();
    private final List<DefaultItem> defaults = new ArrayList<>();
    private final List<FlagItem> columnVisibility = new ArrayList<>();
    private final List<FlagItem> keyVisibility = new ArrayList<>();
    private final List<FlagItem> enforcement = new ArrayList<>();
    private final List<DropItem> drops = new ArrayList<>();
    private final Map<String, String> renamedColumns = new HashMap<>();
    private final Map<String, String> renamedKeys = new HashMap<>();
    private final Set<String> ifExists = new HashSet<>();
    private String converted = "";
    private String collation = "";
    private TableName newName;

    /** Added keys and constraints. */
    TableText added() {
        return added;
    }

    List<ColumnItem> columns() {
        return columns;
    }

    List<DefaultItem> defaults() {
        return defaults;
    }

    List<FlagItem> columnVisibility() {
        return columnVisibility;
    }

    List<FlagItem> keyVisibility() {
        return keyVisibility;
    }

    List<FlagItem> enforcement() {
        return enforcement;
    }

    List<DropItem> drops() {
        return drops;
    }

    /** Old name in lower case, new name. */
    Map<String, String> renamedColumns() {
        return renamedColumns;
    }

    /** Columns and keys, in lower case, that an item renames or changes only if they exist. */
    Set<String> ifExists() {
        return ifExists;
    }

    /** Old name in lower case, new name. */
    Map<String, String> renamedKeys() {
        return renamedKeys;
    }

    /** The collation of CONVERT TO; "" if there is none. */
    String converted() {
        return converted;
    }

    /** The new default collation; "" if there is none. */
    String collation() {
        return collation;
    }

    /** Null if the table keeps its name. */
    TableName newName() {
        return newName;
    }

    /**
     * Assumes the keys and constraints that the statement needs: those that it adds may exist already, and those that it drops or renames may not
     * exist.
     */
    void assumeKeys(TableDefinition before) {
        added.assumeMissing();
        columns.forEach(item -> item.added().assumeMissing());
        drops.removeIf(drop -> drop.kind() != Dropped.COLUMN && !hasKey(before, drop.name()));
        renamedKeys.keySet().removeIf(key -> !hasKey(before, key));
        keyVisibility.removeIf(item -> !hasKey(before, item.name()));
        enforcement.removeIf(item -> !hasKey(before, item.name()));
    }

    private static boolean hasKey(TableDefinition table, String name) {
        return Stream.of(
                        table.keys().stream().map(TableKey::name),
                        table.foreignKeys().stream().map(ForeignKey::name),
                        table.checks().stream().map(Check::name))
                .flatMap(names -> names)
                .anyMatch(name::equalsIgnoreCase);
    }

    void onlyIfExists(String name) {
        ifExists.add(name.toLowerCase(Locale.ROOT));
    }

    void convert(String to) {
        converted = to;
    }

    void collate(String to) {
        collation = to;
    }

    void rename(TableName to) {
        newName = to;
    }
}
