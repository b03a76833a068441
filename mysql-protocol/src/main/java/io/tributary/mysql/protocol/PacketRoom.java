package io.tributary.mysql.protocol;

import java.util.Optional;

/** Decides for each packet of a {@link PacketDecoder} whether there is room for it. On the event loop. */
public interface PacketRoom {
    /**
     * Called when a packet begins or continues.
     *
     * @param command its first byte; -1 if it is empty
     * @param bytes its length as far as known, including the bytes before
     * @param more how many of them are new
     * @return why it is not accepted; it is then read and dropped, and the error is passed on instead
     */
    Optional<ErrPacket> accept(int command, long bytes, int more);
}
