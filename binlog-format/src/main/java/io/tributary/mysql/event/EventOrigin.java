package io.tributary.mysql.event;

import java.nio.ByteBuffer;

/**
 * When and by which server an event was first written, as its header has it.
 *
 * @param timestamp seconds since 1970, 0..2^32-1; 0 in artificial events
 * @param serverId 0..2^32-1
 */
public record EventOrigin(long timestamp, long serverId) {
    /** The origin of the event at {@code at}. */
    public static EventOrigin of(ByteBuffer view, int at) {
        return new EventOrigin(EventHeader.timestamp(view, at), EventHeader.serverId(view, at));
    }
}
