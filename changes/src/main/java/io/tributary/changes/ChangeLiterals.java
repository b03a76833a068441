package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.tributary.replay.row.RowLiteral;
import java.nio.charset.StandardCharsets;

/** Writes the values of a table's rows as SQL literals, see {@link RowLiteral}. Immutable. */
public final class ChangeLiterals {
    private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);

    private final RowLiteral literals;

    /** @throws io.tributary.common.error.TributaryException TARGET_UNFIT for rows with hidden columns, or columns of a type without literals */
    public ChangeLiterals(ChangeTable table) {
        this.literals = new RowLiteral(table.definition(), table.shape());
    }

    /** Writes a value, which may be NULL. */
    public void append(ByteBuf out, ChangeColumn column, RowImage image) {
        if (column.isNull(image)) {
            out.writeBytes(NULL);
        } else {
            literals.append(out, column.index(), image.view(), image.valueAt(column.index()));
        }
    }
}
