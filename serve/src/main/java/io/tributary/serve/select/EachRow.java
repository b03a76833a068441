package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.mysql.protocol.client.RowConsumer;
import java.util.List;
import java.util.function.Consumer;

/** Passes on the rows of a statement whose columns are known. */
record EachRow(Consumer<ByteBuf> rows) implements RowConsumer {
    @Override
    public void columns(List<String> names, List<ResultColumnType> types) {
        // the receiver knows them
    }

    @Override
    public void row(ByteBuf packet) {
        rows.accept(packet);
    }
}
