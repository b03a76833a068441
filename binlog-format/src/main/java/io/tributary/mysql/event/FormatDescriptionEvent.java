package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * FORMAT_DESCRIPTION_EVENT (15): describes a file, its writer and its format: binlog version u16, server version in 50 bytes, create
 * timestamp u32, header length u8, post-header length of each event type u8, checksum algorithm u8. It has a checksum itself
 * with any algorithm (Format_description_event in libbinlogevents/include/control_events.h).
 */
public final class FormatDescriptionEvent {
    /** Maximum bytes of a server version. */
    private static final int SERVER_VERSION_LENGTH = 50;

    private static final int BINLOG_VERSION = 4;
    private static final int SERVER_VERSION_AT = EventHeader.LENGTH + 2;
    private static final int CREATED_AT = SERVER_VERSION_AT + SERVER_VERSION_LENGTH;
    private static final int HEADER_LENGTH_AT = CREATED_AT + 4;
    private static final int POST_HEADERS_AT = HEADER_LENGTH_AT + 1;
    /** Post-header lengths by type, from 1, as MySQL 8.0.26 and later write them. */
    private static final String POST_HEADER_LENGTHS =
            "\0\15\0\10\0\0\0\0\4\0\4\0\0\0\142\0\4\32\10\0\0\0\10\10\10\2" + "\0\0\0\12\12\12\52\52\0\22\64\0\12\50\0";
    /** Bytes of an event that {@link #write} writes, without its checksum. */
    public static final int LENGTH = POST_HEADERS_AT + POST_HEADER_LENGTHS.length() + 1;

    private FormatDescriptionEvent() {}

    /**
     * Rejects an event that is not a format description of a server with checksums (5.6 and later).
     *
     * @param end offset after the event without its checksum, which it always has
     */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, POST_HEADERS_AT - EventHeader.LENGTH + 1, "format description");
        int version = binlogVersion(view, at);
        int headerLength = LittleEndian.getU8(view, at + HEADER_LENGTH_AT);
        if (version != BINLOG_VERSION || headerLength != EventHeader.LENGTH) {
            throw Malformed.event(
                    view,
                    at,
                    "binlog version 4 with headers of 19 bytes",
                    "version " + version + " with " + headerLength);
        }
        requirePostHeader(view, at, end, EventType.TABLE_MAP_EVENT, 8);
        requirePostHeader(view, at, end, EventType.QUERY_EVENT, 13);
        int algorithm = checksumAlgorithm(view, end);
        if (algorithm != Checksum.NONE && algorithm != Checksum.CRC32) {
            throw Malformed.event(view, at, "checksum algorithm 0 (none) or 1 (CRC32)", Integer.toString(algorithm));
        }
    }

    private static void requirePostHeader(ByteBuffer view, int at, int end, int type, int length) {
        int found = postHeaderLength(view, at, end, type);
        if (found != length) {
            throw Malformed.event(
                    view, at, "a post-header of " + length + " bytes for " + EventType.name(type), found + " bytes");
        }
    }

    /** 4 since MySQL 5.0. */
    public static int binlogVersion(ByteBuffer view, int at) {
        return LittleEndian.getU16(view, at + EventHeader.LENGTH);
    }

    /** The server version, such as {@code 8.0.31-log}. */
    public static String serverVersion(ByteBuffer view, int at) {
        byte[] bytes = new byte[SERVER_VERSION_LENGTH];
        view.get(at + SERVER_VERSION_AT, bytes);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Bytes of the post-header of events of a type, from 1; -1 for a type that the writer did not know. */
    static int postHeaderLength(ByteBuffer view, int at, int end, int type) {
        int from = at + POST_HEADERS_AT + type - 1;
        return type < 1 || from >= end - 1 ? -1 : LittleEndian.getU8(view, from);
    }

    /** {@link Checksum#NONE} or {@link Checksum#CRC32}: whether the events that follow carry a checksum. */
    public static int checksumAlgorithm(ByteBuffer view, int end) {
        return LittleEndian.getU8(view, end - 1);
    }

    /**
     * Writes an event of {@link #LENGTH} plus four bytes for the checksum, which the header's size includes and the
     * caller appends; log_pos is 0, flags are 0, and the create timestamp is 0 as in all files except the first after a start.
     *
     * @param serverVersion at most 49 bytes of ASCII
     */
    public static void write(ByteBuffer buf, int at, EventOrigin origin, String serverVersion, int checksumAlgorithm) {
        byte[] version = serverVersion.getBytes(StandardCharsets.US_ASCII);
        if (version.length >= SERVER_VERSION_LENGTH) {
            throw new IllegalArgumentException("expected a server version of at most 49 bytes, found " + serverVersion);
        }
        int size = LENGTH + Checksum.LENGTH;
        EventHeader.write(buf, at, origin, EventType.FORMAT_DESCRIPTION_EVENT, size);
        LittleEndian.putU16(buf, at + EventHeader.LENGTH, BINLOG_VERSION);
        for (int i = 0; i < SERVER_VERSION_LENGTH; i++) {
            LittleEndian.putU8(buf, at + SERVER_VERSION_AT + i, i < version.length ? version[i] : 0);
        }
        LittleEndian.putU32(buf, at + CREATED_AT, 0);
        LittleEndian.putU8(buf, at + HEADER_LENGTH_AT, EventHeader.LENGTH);
        for (int i = 0; i < POST_HEADER_LENGTHS.length(); i++) {
            LittleEndian.putU8(buf, at + POST_HEADERS_AT + i, POST_HEADER_LENGTHS.charAt(i));
        }
        LittleEndian.putU8(buf, at + LENGTH - 1, checksumAlgorithm);
    }
}
