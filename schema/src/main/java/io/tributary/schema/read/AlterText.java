package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.Key;
import io.tributary.schema.definition.TableDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What an ALTER TABLE says, item by item, before it is applied. */
final class AlterText {
    /** Where a column is put; "" for no word about it. */
    record Place(boolean first, String after) {
        static final Place SAME = new Place(false, "");
    }

    /**
     * A column that is added or changed.
     *
     * @param old the name of the column that it changes; "" for a new one
     * @param ifExists whether it does nothing where the column is not there, or a new one is
     * @param added keys and constraints that stand at it
     */
    record ColumnItem(RawColumn column, String old, Place place, boolean ifExists, TableText added) {}

    /** A column's default, null for DROP DEFAULT. */
    record DefaultItem(String column, RawDefault value) {}

    /** A column, key or check that is shown or hidden, or enforced or not. */
    record FlagItem(String name, boolean on) {}

    /** What is dropped. */
    record DropItem(Dropped what, String name, boolean ifExists) {}

    /** Kinds of what ALTER TABLE drops. */
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

    /** Keys and constraints that are added. */
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

    /** Old name in small letters, new name. */
    Map<String, String> renamedColumns() {
        return renamedColumns;
    }

    /** Columns and keys in small letters that an item renames or changes only if they are there. */
    Set<String> ifExists() {
        return ifExists;
    }

    /** Old name in small letters, new name. */
    Map<String, String> renamedKeys() {
        return renamedKeys;
    }

    /** The collation of CONVERT TO; "" where there is none. */
    String converted() {
        return converted;
    }

    /** The new default collation; "" where there is none. */
    String collation() {
        return collation;
    }

    /** Null where the table keeps its name. */
    TableName newName() {
        return newName;
    }

    /**
     * Takes keys and constraints to be as the statement needs them: those that it adds may be there already, and those that it drops or renames may be
     * gone.
     */
    void assumeKeys(TableDefinition before) {
        added.assumeMissing();
        columns.forEach(item -> item.added().assumeMissing());
        drops.removeIf(drop -> drop.what() != Dropped.COLUMN && !hasKey(before, drop.name()));
        renamedKeys.keySet().removeIf(key -> !hasKey(before, key));
        keyVisibility.removeIf(item -> !hasKey(before, item.name()));
        enforcement.removeIf(item -> !hasKey(before, item.name()));
    }

    private static boolean hasKey(TableDefinition table, String name) {
        return Stream.of(
                        table.keys().stream().map(Key::name),
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
