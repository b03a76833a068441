package io.tributary.sink.run;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeTable;
import io.tributary.common.value.TableName;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowPlace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The definitions of tables that were sent as messages of their own, for protocols whose rows do not contain them. Each version of a table is sent before its
 * first row, and again for readers that begin later. For one thread.
 */
final class SentDefinitions {
    private static final long AGAIN_ROWS = 10_000;
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final MessageFormat format;
    private final Map<TableName, Sent> tables = new HashMap<>();
    private boolean hasMessages = true; // of this protocol

    private static final class Sent {
        private long version;
        private long at;
        private long rows;
    }

    SentDefinitions(MessageFormat format) {
        this.format = format;
    }

    /** Whether a definition has to be sent before this number of rows; {@link #value} follows. */
    boolean isDue(ChangeTable table, int rows, long now) {
        if (!hasMessages) {
            return false;
        }
        Sent sent = tables.computeIfAbsent(table.name(), name -> new Sent());
        sent.rows += rows;
        boolean isDue = sent.version != table.version() || sent.rows > AGAIN_ROWS || now - sent.at >= AGAIN_NANOS;
        if (isDue) {
            sent.version = table.version();
            sent.at = now;
            sent.rows = rows;
        }
        return isDue;
    }

    /** The value of the message; empty if the protocol has none. */
    Optional<byte[]> value(ChangeTable table, RowPlace place) {
        ByteBuf out = Unpooled.buffer();
        hasMessages = format.definitionValue(out, table, place);
        return hasMessages ? Optional.of(ByteBufUtil.getBytes(out)) : Optional.empty();
    }
}
