package io.tributary.sink.mask;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.MaskedRows;
import io.tributary.changes.ValueKind;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Which columns are masked, and how. Immutable. */
public final class ColumnMasks {
    /** No column is masked. */
    public static final ColumnMasks NONE = new ColumnMasks((table, column) -> Optional.empty(), new byte[0]);

    private static final Set<String> BYTES =
            Set.of("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob");

    private final Choice choice;
    private final byte[] key;

    /** Chooses the mask of a column. */
    public interface Choice {
        /** Its mask; empty if values stay. Any thread. */
        Optional<ValueMask> of(TableName table, String column);
    }

    /** @param key of the HMAC; empty if no column has {@link ValueMask#HASH} */
    public ColumnMasks(Choice choice, byte[] key) {
        this.choice = choice;
        this.key = key.clone();
    }

    /**
     * What masks the rows of a table.
     *
     * @return for one thread; empty if no column is masked
     * @throws TributaryException SINK_TABLE_UNFIT if a column cannot have its mask
     */
    public Optional<MaskedRows> of(ChangeTable table) {
        List<MaskedRows.Mask> masks = new ArrayList<>();
        for (ChangeColumn column : table.columns()) {
            masks.add(choice.of(table.name(), column.name())
                    .map(mask -> mask(table, column, mask))
                    .orElse(null));
        }
        return masks.stream().allMatch(Objects::isNull) ? Optional.empty() : Optional.of(new MaskedRows(table, masks));
    }

    /** Whether a column of the handle key is masked, so that the key must not be shown. */
    public boolean isKeyMasked(ChangeTable table) {
        return table.handle().stream()
                .anyMatch(column -> choice.of(table.name(), column.name()).isPresent());
    }

    private MaskedRows.Mask mask(ChangeTable table, ChangeColumn column, ValueMask mask) {
        boolean isKey = table.handle().contains(column);
        if (mask != ValueMask.HASH && isKey) {
            throw unfit(table, column, mask, "a column that is not one of the table's key");
        }
        if (mask == ValueMask.NULL) {
            if (!column.definition().nullable()) {
                throw unfit(table, column, mask, "a column that can be NULL");
            }
            return (each, image) -> null;
        }
        if (column.kind() != ValueKind.TEXT && !BYTES.contains(column.type().name())) {
            throw unfit(table, column, mask, "a column of texts or bytes");
        }
        if (mask == ValueMask.STARS) {
            byte[] stars = MaskedText.stored(column, "*****");
            return (each, image) -> stars;
        }
        return new HashMask(key);
    }

    private static TributaryException unfit(ChangeTable table, ChangeColumn column, ValueMask mask, String expected) {
        return new TributaryException(
                ErrorCode.SINK_TABLE_UNFIT,
                "table " + table.name() + ", sink.columns.masked: expected " + expected + " for the mask " + mask.text()
                        + ", found the column " + column.name() + ", "
                        + column.type().name()
                        + (column.definition().nullable() ? "" : " NOT NULL")
                        + (table.handle().contains(column) ? ", of the key" : ""));
    }
}
