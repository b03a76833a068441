package io.tributary.mysql.protocol.client;

import java.nio.ByteBuffer;

/** Takes the events of a {@link BinlogStream}. */
@FunctionalInterface
public interface EventConsumer {
    /**
     * Takes one binlog event.
     *
     * @param view looked at only, and only during the call, by absolute index: its position, limit and byte order say nothing
     * @param at where the event's 19-byte header begins
     * @param length of the event with its header, and with its checksum where {@link BinlogStream#checksummed()}
     * @return whether to go on; false ends the poll behind this event, which counts as taken
     */
    boolean event(ByteBuffer view, int at, int length);
}
