package io.tributary.schema.rows;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;

/**
 * What a definition knows of a column where the table map may not say it (5.7, binlog_row_metadata=MINIMAL). A table map that says it wins.
 *
 * @param collation number of the collation of a character, ENUM or SET column; 0 for unknown
 * @param values of an ENUM or SET column, in order, in the column's character set; empty for unknown
 * @param unsigned whether a numeric column is unsigned; empty for unknown
 * @param zerofill of an integer column with ZEROFILL its display width; 0 without, and for unknown. No table map says it
 */
public record ColumnFacts(int collation, List<byte[]> values, Optional<Boolean> unsigned, int zerofill) {
    /** Nothing is known. */
    public static final ColumnFacts NONE = new ColumnFacts(0, List.of(), Optional.empty(), 0);

    public ColumnFacts {
        values = List.copyOf(values);
    }

    /** What a definition says of a column; what the collation's name does not tell stays unknown. */
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
