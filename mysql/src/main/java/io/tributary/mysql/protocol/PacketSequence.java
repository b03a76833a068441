package io.tributary.mysql.protocol;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;

/** The sequence ids of one connection: one counter for both directions, set back to 0 by each command. */
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
                    ErrorCode.PROTOCOL_VIOLATED, "packets out of order: expected sequence id " + next + ", came " + id);
        }
        next = next + 1 & 0xff;
    }

    /** The id of the next packet that is sent. */
    public int sent() {
        int id = next;
        next = next + 1 & 0xff;
        return id;
    }

    /** A command with a payload of {@code bytes} is answered now: the next packet has the id that follows on its packets. */
    public void answer(long bytes) {
        next = (int) (bytes / PacketDecoder.MAX_PACKET_PAYLOAD + 1 & 0xff);
    }

    /** A command begins: the next packet, sent or received, has the id 0. */
    public void restart() {
        next = 0;
    }
}
