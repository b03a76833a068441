package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.ResultColumnType;
import java.util.List;

/** Receives a result set while it arrives, on the event loop of its connection. */
public interface RowConsumer {
    /** Called once, before the rows. */
    void columns(List<String> names, List<ResultColumnType> types);

    /**
     * Called for each row.
     *
     * @param packet one length-encoded value or NULL for each column; valid during the call, unless it is retained
     */
    void row(ByteBuf packet);
}
