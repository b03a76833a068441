package io.tributary.mysql.event;

import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;

/**
 * TRANSACTION_PAYLOAD_EVENT (40): the events of a transaction, compressed (binlog_transaction_compression): fields of type, length,
 * value, all length-encoded: 1 size of the payload, 2 compression, 3 size before compression, 0 (without a length) the end; then the
 * payload (Transaction_payload in libbinlogevents/include/codecs/binary.h). {@link PayloadUnpacker} decompresses it.
 */
public final class TransactionPayloadEvent {
    /** The payload is one or more zstd frames. */
    static final int COMPRESSION_ZSTD = 0;
    /** The payload is the uncompressed events. */
    static final int COMPRESSION_NONE = 255;

    private static final int FIELD_END = 0;
    private static final int FIELD_PAYLOAD_SIZE = 1;
    private static final int FIELD_COMPRESSION = 2;
    private static final int FIELD_UNCOMPRESSED_SIZE = 3;
    private static final int ABSENT = -1;

    private TransactionPayloadEvent() {}

    /** Rejects an event with truncated fields; the payload is checked when it is decompressed. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 1, "transaction payload");
        int from = at + EventHeader.LENGTH;
        int typeLength = Malformed.packed(view, at, end, from, "field type");
        while (PackedInteger.get(view, from) != FIELD_END) {
            long type = PackedInteger.get(view, from);
            from += typeLength;
            int lengthLength = Malformed.packed(view, at, end, from, "field length");
            long length = PackedInteger.get(view, from);
            from += lengthLength;
            Malformed.room(view, at, end, from, length, "a field");
            boolean known = type >= FIELD_PAYLOAD_SIZE && type <= FIELD_UNCOMPRESSED_SIZE;
            if (known && Malformed.packed(view, at, end, from, "field") != length) {
                throw Malformed.event(
                        view, at, "a length-encoded field " + type, "another one of " + length + " bytes");
            }
            from += (int) length;
            typeLength = Malformed.packed(view, at, end, from, "field type");
        }
        long size = payloadSize(view, at);
        if (size != end - from - 1) {
            throw Malformed.event(view, at, "a payload of " + size + " bytes", end - from - 1 + " bytes");
        }
        long compression = compression(view, at);
        if (compression != COMPRESSION_ZSTD && compression != COMPRESSION_NONE) {
            throw Malformed.event(view, at, "compression 0 (zstd) or 255 (none)", Long.toString(compression));
        }
    }

    /** Bytes of the payload; -1 if the field is missing, which check rejects. */
    static long payloadSize(ByteBuffer view, int at) {
        return field(view, at, FIELD_PAYLOAD_SIZE);
    }

    /** {@link #COMPRESSION_ZSTD} or {@link #COMPRESSION_NONE}. */
    static long compression(ByteBuffer view, int at) {
        return field(view, at, FIELD_COMPRESSION);
    }

    /** Bytes of the events in the payload according to the source; -1 if the field is missing. */
    static long uncompressedSize(ByteBuffer view, int at) {
        return field(view, at, FIELD_UNCOMPRESSED_SIZE);
    }

    /** Offset of the payload, which extends to the event's end. */
    static int payloadAt(ByteBuffer view, int at) {
        int from = at + EventHeader.LENGTH;
        while (PackedInteger.get(view, from) != FIELD_END) {
            from = behindField(view, from);
        }
        return PackedInteger.end(view, from);
    }

    private static long field(ByteBuffer view, int at, int wanted) {
        int from = at + EventHeader.LENGTH;
        long type = PackedInteger.get(view, from);
        while (type != FIELD_END) {
            if (type == wanted) {
                return PackedInteger.get(view, PackedInteger.end(view, PackedInteger.end(view, from)));
            }
            from = behindField(view, from);
            type = PackedInteger.get(view, from);
        }
        return ABSENT;
    }

    private static int behindField(ByteBuffer view, int from) {
        int length = PackedInteger.end(view, from);
        return PackedInteger.end(view, length) + (int) PackedInteger.get(view, length);
    }
}
