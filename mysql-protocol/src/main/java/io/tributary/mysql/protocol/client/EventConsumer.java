package io.tributary.mysql.protocol.client;

import java.nio.ByteBuffer;

/** Receives the events of a {@link BinlogStream}. */
@FunctionalInterface
public interface EventConsumer {
    /**
     * Receives one binlog event.
     *
     * @param view read only, and only during the call, by absolute index: its position, limit and byte order have no meaning
     * @param at offset of the event's 19-byte header
     * @param length of the event with its header, and with its checksum if {@link BinlogStream#checksummed()}
     * @return whether to continue; false ends the poll after this event, which counts as consumed
     */
    boolean event(ByteBuffer view, int at, int length);
}
