package io.tributary.schema.rows.convert;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;

/**
 * The properties of a column in its definition that the table map may not contain (5.7, binlog_row_metadata=MINIMAL). If the table map
 * contains them, it has precedence.
 *
 * @param collation number of the collation of a character, ENUM or SET column; 0 = unknown
 * @param values of an ENUM or SET column, in order, in the column's character set; empty = unknown
 * @param unsigned whether a numeric column is unsigned; empty = unknown
 * @param zerofill for an integer column with ZEROFILL its display width; 0 = without ZEROFILL, or unknown. No table map contains it
 */
public record ColumnFacts(int collation, List<byte[]> values, Optional<Boolean> unsigned, int zerofill) {
    /** Nothing is known. */
    public static final ColumnFacts NONE = new ColumnFacts(0, List.of(), Optional.empty(), 0);

    public ColumnFacts {
        values = List.copyOf(values);
    }

    /** The properties in a definition; those that the collation's name does not determine stay unknown. */
    public static ColumnFacts of(Column column) {
        SqlType type = column.type();
        Optional<Collation> collation = Collations.named(type.collation());
        Optional<Charset> charset = collation.map(Collation::charset).flatMap(Collations::charset);
        List<byte[]> values = type.hasValues() && charset.isPresent()
                ? type.values().stream()
                        .map(value -> value.getBytes(charset.get()))
                        .toList()
                : List.of();
        return new ColumnFacts(
                collation.map(Collation::id).orElse(0),
                values,
                Optional.of(type.unsigned() || type.name().equals("year")),
                type.zerofill() ? type.length() : 0);
    }
}
