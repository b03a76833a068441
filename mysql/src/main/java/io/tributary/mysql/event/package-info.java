/**
 * Binlog events as bytes at an offset: one class for each event type, with static readers and writers and MySQL's names.
 *
 * <p>Everywhere in this package {@code at} is the offset of the event's 19-byte header in the buffer, and {@code end} the offset
 * behind its last byte without the checksum: {@code EventHeader.end(view, at)}, less {@link
 * io.tributary.mysql.event.Checksum#LENGTH} where the event carries one. All access is absolute and little-endian whatever the
 * buffer's order; position and limit never change, and nothing is allocated but by methods that return an object.
 *
 * <p>Bytes from outside go through {@code EventHeader.check} and then the {@code check} of their class once; after that no reader
 * of the class leaves the event. A check that fails throws {@code TributaryException} with {@code EVENT_MALFORMED}. Readers of bytes
 * that were not checked may throw {@link IndexOutOfBoundsException}.
 */
package io.tributary.mysql.event;
