package io.tributary.sink.encode;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.MaskedRows;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.common.value.TableName;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.route.Dispatcher;
import io.tributary.sink.route.HandleKey;
import io.tributary.sink.route.RowHash;
import java.util.Optional;

/** Where the rows of a table with one definition go, and how they are written. For one worker; the sender reads what does not change. */
public final class TableRoute {
    private final ChangeTable table;
    private final String topic;
    private final RowFormat format;
    private final RowHash hash;
    private final HandleKey handle;
    private final Optional<MaskedRows> masks;
    private long transaction; // whose hash is known
    private int transactionHash;

    TableRoute(ChangeTable table, String topic, RowFormat format, Dispatcher dispatcher, Optional<MaskedRows> masks) {
        this.masks = masks;
        this.table = table;
        this.topic = topic;
        this.format = format;
        this.hash = new RowHash(table, dispatcher);
        this.handle = new HandleKey(table);
    }

    public TableName table() {
        return table.name();
    }

    /** The table with its definition. */
    public ChangeTable definition() {
        return table;
    }

    public String topic() {
        return topic;
    }

    public Dispatcher dispatcher() {
        return hash.dispatcher();
    }

    /** What masks its rows. */
    Optional<MaskedRows> masks() {
        return masks;
    }

    RowFormat format() {
        return format;
    }

    /** The handle key of a row as text. */
    String describe(RowChange row) {
        return handle.describe(row.newest());
    }

    /** Whether an UPDATE has to be sent as two messages: they have different partitions, or different keys. */
    boolean isSplit(RowChange row, ByteBuf out) {
        if (row.operation() != Operation.UPDATE) {
            return false;
        }
        if (hash.isMoved(row)) {
            return true;
        }
        if (!handle.isChanged(row)) {
            return false;
        }
        int from = out.writerIndex();
        boolean hasKeys = format.key(out, row);
        out.writerIndex(from);
        return hasKeys;
    }

    int hash(RowChange row, ChangeTransaction of) {
        return switch (hash.dispatcher().kind()) {
            case NONE -> 0;
            case TRANSACTION -> {
                if (of.gtid().gno() != transaction) {
                    transaction = of.gtid().gno();
                    transactionHash = RowHash.ofText(of.gtid().toString());
                }
                yield transactionHash;
            }
            default -> hash.of(row.newest());
        };
    }
}
