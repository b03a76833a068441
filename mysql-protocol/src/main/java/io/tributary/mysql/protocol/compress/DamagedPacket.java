package io.tributary.mysql.protocol.compress;

/**
 * The event that a compressed packet of the client could not be read; nothing after it is read either.
 *
 * @param reason what was expected and found
 */
public record DamagedPacket(String reason) {}
