package io.tributary.mysql.protocol;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;

/** The sequence ids of one connection: one counter for both directions, which each command resets to 0. */
public final class PacketSequence {
    private final boolean server;
    private int next;

    /** @param server whether this side answers commands: then a received id of 0 begins a new command */
    public PacketSequence(boolean server) {
        this.server = server;
    }

    /** Checks the id of a received packet. */
    void received(int id) {
        if (server && id == 0) {
            next = 0;
        }
        if (id != next) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED,
                    "packets out of order: expected sequence id " + next + ", found " + id);
        }
        next = next + 1 & 0xff;
    }

    /** The id of the next packet that is sent. */
    public int sent() {
        int id = next;
        next = next + 1 & 0xff;
        return id;
    }

    /** The id of the next packet, for {@link #next(int)}. */
    public int next() {
        return next;
    }

    /** Sets the id of the next packet: those that were not sent do not count. */
    public void next(int id) {
        next = id;
    }

    /** Begins the answer to a command with a payload of {@code bytes}: the next packet has the id after those of its packets. */
    public void answer(long bytes) {
        next = (int) (bytes / PacketDecoder.MAX_PACKET_PAYLOAD + 1 & 0xff);
    }

    /** Begins a command: the next packet, sent or received, has the id 0. */
    public void restart() {
        next = 0;
    }
}
