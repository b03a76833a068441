/**
 * Binlog events as bytes at an offset: one class for each event type, with static readers and writers and MySQL's names. Events that only MariaDB or
 * PolarDB-X writes are in {@code mariadb} and {@code polardbx}; {@code row} has the columns of a table map. {@link
 * io.tributary.mysql.event.EventType} is the table of all types.
 *
 * <p>In these packages {@code at} is always the offset of the event's 19-byte header in the buffer, and {@code end} the offset
 * after its last byte without the checksum: {@code EventHeader.end(view, at)}, less {@link
 * io.tributary.mysql.event.Checksum#LENGTH} if the event has one. All access is absolute and little-endian whatever the
 * buffer's order is; position and limit never change, and only methods that return an object allocate.
 *
 * <p>Bytes from outside pass {@code EventHeader.check} and then the {@code check} of their class once; after that no reader
 * of the class leaves the event. A check that fails throws {@code TributaryException} with {@code EVENT_MALFORMED}. Readers of
 * unchecked bytes may throw {@link IndexOutOfBoundsException}.
 */
package io.tributary.mysql.event;
