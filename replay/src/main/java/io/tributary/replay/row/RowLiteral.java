package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes the values of rows events as SQL literals for a table, to be assigned to their columns and to be compared with them by {@code <=>}. Immutable.
 *
 * <p>They are for sessions with time_zone '+00:00' and an sql_mode that accepts what the column has: without NO_ZERO_DATE and NO_ZERO_IN_DATE, with
 * ALLOW_INVALID_DATES. The text of the statement is ASCII; max_allowed_packet must allow twice the bytes of a value.
 *
 * <ul>
 *   <li>Integers, DECIMAL and YEAR: digits. The sign is the event's if its table map has it, otherwise that of the target's column.
 *   <li>FLOAT and DOUBLE: digits with an exponent, of which the server reads the same DOUBLE; of a FLOAT, the DOUBLE that is equal to it.
 *       MySQL 8.0 does not find a value of a FLOAT(M,D) or DOUBLE(M,D) column that rounding has put above the limit of the type.
 *   <li>BIT, ENUM and SET: numbers; of a SET with its 64th value a negative one, as servers compare it. An ENUM with the number 0 gives a
 *       warning when it is assigned.
 *   <li>DATE, TIME, DATETIME and TIMESTAMP: quoted, a TIMESTAMP in UTC.
 *   <li>Characters: {@code _latin1 X'..'} with the bytes as stored, in the character set of the event's column, otherwise in that of the target's.
 *   <li>Bytes, GEOMETRY and VECTOR: {@code X'..'}; BINARY with the zeros that rows events leave out. MySQL 9 stores
 *       a VECTOR that is given so, and refuses to compare it.
 *   <li>For a target's JSON column {@code CAST(_utf8mb4 X'..' AS JSON)}; JSON for a LONGTEXT as {@code _utf8mb4 X'..'}. See {@link StoredJson} for what
 *       the text of a JSON value does not keep.
 * </ul>
 */
public final class RowLiteral {
    private final TableDefinition target;
    private final ColumnLiteral[] columns;

    /**
     * Prepares the columns of a table map.
     *
     * @param target the table on the server that reads the literals
     * @param event its columns by position
     * @throws TributaryException TARGET_UNFIT if the numbers of columns differ, or a column of the target cannot hold every value of the event's column
     */
    public RowLiteral(TableDefinition target, TableShape event) {
        this.target = target;
        List<Column> own = target.columns();
        if (own.size() != event.columnCount()) {
            throw new TributaryException(
                    ErrorCode.TARGET_UNFIT,
                    target.name() + ": expected " + event.columnCount() + " columns as in the rows of " + event.schema()
                            + "." + event.table() + ", found " + own.size());
        }
        columns = new ColumnLiteral[own.size()];
        for (int i = 0; i < columns.length; i++) {
            Column column = own.get(i);
            if (!ColumnFit.fits(column.type(), event, i)) {
                throw new TributaryException(
                        ErrorCode.TARGET_UNFIT,
                        name(i) + ": expected a type that holds every value of the rows' column, "
                                + ColumnFit.text(event, i) + ", found " + CreateTable.typeText(column.type())
                                + charset(column));
            }
            columns[i] = ColumnLiteral.of(column.type(), event, i);
        }
    }

    private static String charset(Column column) {
        String charset = column.type().charset();
        return charset.isEmpty() ? "" : " in " + charset;
    }

    private String name(int index) {
        return target.name() + ", column " + target.columns().get(index).name();
    }

    /**
     * Writes a value that is not NULL.
     *
     * @param index of the column
     * @param view only read
     * @param at offset of the value, or of the length before it, inside a row that is complete in {@code view}
     * @throws TributaryException EVENT_MALFORMED for a JSON or floating-point value that no server writes; {@code out} is then as before
     */
    public void append(ByteBuf out, int index, ByteBuffer view, int at) {
        int before = out.writerIndex();
        try {
            columns[index].append(out, view, at);
        } catch (TributaryException e) {
            out.writerIndex(before);
            throw new TributaryException(e.code(), name(index) + ": " + e.getMessage(), e);
        }
    }
}
