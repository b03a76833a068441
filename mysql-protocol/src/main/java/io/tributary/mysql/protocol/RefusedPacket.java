package io.tributary.mysql.protocol;

/**
 * Represents a packet that a {@link PacketDecoder} has read and dropped.
 *
 * @param bytes of its payload
 * @param error why there was no room for it
 */
public record RefusedPacket(long bytes, ErrPacket error) {}
