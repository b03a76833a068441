package io.tributary.schema.write;

import io.tributary.common.value.TableName;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.OptionalMetadata;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Writes the body of a table map event, see {@link io.tributary.mysql.event.TableMapEvent}. */
public final class TableMap {
    private static final int VISIBILITY_SINCE = 80023;
    private static final int BINARY = 63;
    private static final String HASH = "DB_ROW_HASH_";
    private static final List<String> GEOMETRIES = List.of(
            "geometry",
            "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geomcollection");

    private final TableDefinition definition;
    private final List<Column> columns;
    private final Metadata settings;
    private final PackedBytes body = new PackedBytes();

    private TableMap(TableDefinition definition, Metadata settings) {
        this.definition = definition;
        this.settings = settings;
        this.columns = settings.mariadb() ? withHashes(definition) : definition.columns();
    }

    /**
     * The bytes after the names in a table map of the definition, exactly as the server writes them.
     *
     * @throws IllegalArgumentException if a type or collation of the definition is unknown
     */
    public static byte[] body(TableDefinition definition, Metadata settings) {
        return new TableMap(definition, settings).render();
    }

    /**
     * The table map of a definition, with the same optional metadata as another table map.
     *
     * @param other a checked table map, from 0 to its limit, without checksum
     * @return from 0 to its limit
     * @throws IllegalArgumentException if a type or collation of the definition is unknown
     */
    public static ByteBuffer like(ByteBuffer other, TableDefinition definition, TableName name) {
        int optional = TableMapEvent.optionalAt(other, 0);
        int end = other.limit();
        boolean isNamed = OptionalMetadata.find(other, optional, end, OptionalMetadata.COLUMN_NAME) >= 0;
        boolean hasVisibility = OptionalMetadata.find(other, optional, end, OptionalMetadata.COLUMN_VISIBILITY) >= 0;
        Metadata.Kind kind = isNamed ? Metadata.Kind.FULL : optional < end ? Metadata.Kind.MINIMAL : Metadata.Kind.NONE;
        boolean isMariadb = isNamed && !hasVisibility;
        byte[] body = body(definition, new Metadata(kind, isMariadb, Metadata.FULL.version()));
        return TableMapEvent.withBody(
                other,
                0,
                name.schema().getBytes(StandardCharsets.UTF_8),
                name.table().getBytes(StandardCharsets.UTF_8),
                body);
    }

    /** MariaDB's rows have a hidden column for each unique key that is too long for an index. */
    private static List<Column> withHashes(TableDefinition definition) {
        List<Column> all = new ArrayList<>(definition.columns());
        SqlType type = SqlType.of("bigint").withSign(true, false);
        for (TableKey key : definition.keys()) {
            if (definition.isByHash(key)) {
                boolean nullable = key.parts().stream()
                        .anyMatch(part ->
                                definition.column(part.column()).orElseThrow().nullable());
                String name = HASH + (all.size() - definition.columns().size() + 1);
                all.add(new Column(name, type, nullable, Default.NONE, Optional.empty(), false, "", false));
            }
        }
        return all;
    }

    private byte[] render() {
        body.packed(columns.size());
        PackedBytes metadata = new PackedBytes();
        for (Column column : columns) {
            MapType type = MapType.of(column.type());
            body.u8(type.code());
            for (int one : type.metadata()) {
                metadata.u8(one);
            }
        }
        body.text(metadata.toBytes());
        nulls();
        if (settings.kind() != Metadata.Kind.NONE) {
            optional();
        }
        return body.toBytes();
    }

    /** A bit for each column, the lowest first. */
    private void nulls() {
        byte[] bits = new byte[(columns.size() + 7) / 8];
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).nullable()) {
                bits[i / 8] |= (byte) (1 << (i % 8));
            }
        }
        body.bytes(bits);
    }

    private void optional() {
        signedness();
        charsets(
                column -> (ColumnType.isCharacter(MapType.of(column.type()).code())
                                && !column.type().hasValues())
                        || (settings.mariadb() && column.type().isGeometry()),
                OptionalMetadata.DEFAULT_CHARSET,
                OptionalMetadata.COLUMN_CHARSET);
        geometryTypes();
        if (settings.kind() == Metadata.Kind.FULL) {
            names();
            charsets(
                    column -> column.type().hasValues(),
                    OptionalMetadata.ENUM_AND_SET_DEFAULT_CHARSET,
                    OptionalMetadata.ENUM_AND_SET_COLUMN_CHARSET);
            values("set", OptionalMetadata.SET_STR_VALUE);
            values("enum", OptionalMetadata.ENUM_STR_VALUE);
            primaryKey();
            if (!settings.mariadb() && settings.version() >= VISIBILITY_SINCE) {
                visibility();
            }
        }
        dimensions();
    }

    private void field(int type, PackedBytes value) {
        if (value.length() > 0) {
            body.u8(type);
            body.text(value.toBytes());
        }
    }

    private static byte[] bits(List<Column> columns, Predicate<Column> isSet) {
        byte[] bits = new byte[(columns.size() + 7) / 8];
        for (int i = 0; i < columns.size(); i++) {
            if (isSet.test(columns.get(i))) {
                bits[i / 8] |= (byte) (0x80 >> (i % 8));
            }
        }
        return bits;
    }

    private void signedness() {
        List<Column> numbers = columns.stream()
                .filter(column -> ColumnType.isNumeric(MapType.of(column.type()).code()))
                .toList();
        PackedBytes value = new PackedBytes();
        value.bytes(bits(
                numbers,
                column -> column.type().unsigned() || column.type().name().equals("year")));
        field(OptionalMetadata.SIGNEDNESS, value);
    }

    private static int collation(Column column) {
        String name = column.type().collation();
        if (name.isEmpty() && !column.type().isCharacter()) {
            return BINARY;
        }
        return Collations.named(name)
                .map(Collation::id)
                .orElseThrow(() -> new IllegalArgumentException("collation '" + name + "' of column " + column.name()));
    }

    /** Chooses the form with fewer numbers. */
    private void charsets(Predicate<Column> which, int defaultField, int eachField) {
        List<Integer> collations =
                columns.stream().filter(which).map(TableMap::collation).toList();
        if (collations.isEmpty()) {
            return;
        }
        Map<Integer, Integer> counts = new TreeMap<>();
        collations.forEach(one -> counts.merge(one, 1, Integer::sum));
        int usual = collations.get(0);
        int most = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > most) {
                usual = entry.getKey();
                most = entry.getValue();
            }
        }
        PackedBytes value = new PackedBytes();
        if (2 * (collations.size() - most) + 1 <= collations.size()) {
            value.packed(usual);
            for (int i = 0; i < collations.size(); i++) {
                if (collations.get(i) != usual) {
                    value.packed(i);
                    value.packed(collations.get(i));
                }
            }
            field(defaultField, value);
        } else {
            collations.forEach(value::packed);
            field(eachField, value);
        }
    }

    private void geometryTypes() {
        PackedBytes value = new PackedBytes();
        columns.stream()
                .filter(column -> column.type().isGeometry())
                .forEach(column -> value.packed(GEOMETRIES.indexOf(column.type().name())));
        field(OptionalMetadata.GEOMETRY_TYPE, value);
    }

    private void names() {
        PackedBytes value = new PackedBytes();
        columns.forEach(column -> value.text(column.name().getBytes(StandardCharsets.UTF_8)));
        field(OptionalMetadata.COLUMN_NAME, value);
    }

    private void values(String type, int field) {
        PackedBytes value = new PackedBytes();
        for (Column column : columns) {
            if (column.type().name().equals(type)) {
                Charset charset = charset(column.type());
                value.packed(column.type().values().size());
                column.type().values().forEach(one -> value.text(one.getBytes(charset)));
            }
        }
        field(field, value);
    }

    private static Charset charset(SqlType type) {
        String name = Collations.named(type.collation()).map(Collation::charset).orElse("binary");
        if (name.equals("binary")) {
            return StandardCharsets.UTF_8;
        }
        return Collations.charset(name)
                .orElseThrow(() -> new IllegalArgumentException("character set " + name + " of ENUM or SET"));
    }

    private void primaryKey() {
        TableKey key = definition.rowKey().orElse(null);
        if (key == null) {
            return;
        }
        boolean prefixes = key.parts().stream().anyMatch(part -> part.prefix() > 0);
        PackedBytes value = new PackedBytes();
        for (KeyPart part : key.parts()) {
            value.packed(index(part.column()));
            if (prefixes) {
                value.packed(part.prefix());
            }
        }
        field(prefixes ? OptionalMetadata.PRIMARY_KEY_WITH_PREFIX : OptionalMetadata.SIMPLE_PRIMARY_KEY, value);
    }

    private int index(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(column)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no column " + column + " of the primary key");
    }

    private void visibility() {
        PackedBytes value = new PackedBytes();
        value.bytes(bits(columns, Column::visible));
        field(OptionalMetadata.COLUMN_VISIBILITY, value);
    }

    private void dimensions() {
        PackedBytes value = new PackedBytes();
        columns.stream()
                .filter(column -> column.type().name().equals("vector"))
                .forEach(column -> value.packed(column.type().length()));
        field(OptionalMetadata.VECTOR_DIMENSIONALITY, value);
    }
}
