package io.tributary.sink.route;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hash of a row by which its partition is chosen, as TiCDC computes it: the CRC-32 of schema and table, xor those of name and value of each dispatched
 * column. For one table with one definition, and one thread.
 */
public final class RowHash {
    private static final Logger LOG = LoggerFactory.getLogger(RowHash.class);

    private final Dispatcher dispatcher;
    private final int base;
    private final HashedValue[] columns;
    private final byte[][] names;
    private final ByteBuf value = Unpooled.buffer(256);
    private final CRC32 crc = new CRC32();

    /**
     * Prepares a table.
     *
     * @throws TributaryException SINK_TABLE_UNFIT if it has no handle key, or not the columns
     */
    public RowHash(ChangeTable table, Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.base = ofTable(table.name());
        this.columns = columns(table, dispatcher).stream().map(HashedValue::new).toArray(HashedValue[]::new);
        this.names = new byte[columns.length][];
        for (int i = 0; i < columns.length; i++) {
            names[i] = columns[i].column().name().getBytes(StandardCharsets.UTF_8);
            if (columns[i].isUnknown()) {
                LOG.warn(
                        "partition does not depend on a column: table={} column={} collation={} reason=\"which texts are equal"
                                + " is not known\"",
                        table.name(),
                        columns[i].column().name(),
                        columns[i].column().type().collation());
            }
        }
    }

    private static List<ChangeColumn> columns(ChangeTable table, Dispatcher dispatcher) {
        return switch (dispatcher.kind()) {
            case KEY -> {
                if (table.handle().isEmpty()) {
                    throw unfit(
                            table,
                            "a primary key, or a unique key of NOT NULL columns, because its rule is key",
                            "none");
                }
                yield table.handle();
            }
            case COLUMNS ->
                dispatcher.columns().stream()
                        .map(name -> table.column(name)
                                .filter(column -> !column.definition().isVirtual())
                                .orElseThrow(() -> unfit(
                                        table, "the stored column " + name + ", because its rule is columns", "none")))
                        .toList();
            default -> List.of();
        };
    }

    private static TributaryException unfit(ChangeTable table, String expected, String found) {
        return new TributaryException(
                ErrorCode.SINK_TABLE_UNFIT, "table " + table.name() + ": expected " + expected + ", found " + found);
    }

    /** The hash of all rows of a table. */
    public static int ofTable(TableName table) {
        CRC32 crc = new CRC32();
        crc.update(table.schema().getBytes(StandardCharsets.UTF_8));
        crc.update(table.table().getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }

    /** The hash of all rows of a transaction. */
    public static int ofText(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }

    /** The partition for a hash. */
    public static int partition(int hash, int partitions) {
        return Integer.remainderUnsigned(hash, partitions);
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Whether an UPDATE changes the columns by which rows are divided. */
    public boolean isMoved(RowChange update) {
        return isChanged(columns, update);
    }

    private static boolean isChanged(HashedValue[] of, RowChange update) {
        for (HashedValue each : of) {
            if (!each.isSame(update.before(), update.after())) {
                return true;
            }
        }
        return false;
    }

    /** The hash of a row; without meaning for {@link Dispatcher.Kind#TRANSACTION} and {@link Dispatcher.Kind#NONE}. */
    public int of(RowImage row) {
        int hash = base;
        for (int i = 0; i < columns.length; i++) {
            value.clear();
            columns[i].append(value, row);
            crc.reset();
            crc.update(names[i]);
            crc.update(value.array(), value.arrayOffset(), value.writerIndex());
            hash ^= (int) crc.getValue();
        }
        return hash;
    }
}
