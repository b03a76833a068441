package io.tributary.mysql.protocol;

import java.util.Optional;

/** Decides for each packet that a {@link PacketDecoder} sees coming whether there is room for it. On the event loop. */
public interface PacketRoom {
    /**
     * A packet begins, or continues.
     *
     * @param command its first byte; -1 where it is empty
     * @param bytes its length as far as it is known, with what has come before
     * @param more how many of them are new
     * @return why it is not accepted; it is read and dropped then, and the error is handed on in its place
     */
    Optional<ErrPacket> accept(int command, long bytes, int more);
}
