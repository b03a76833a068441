package io.tributary.mysql.event;

import io.tributary.common.gtid.Sid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * GTID_TAGGED_LOG_EVENT (42) of MySQL 8.3 and later: a GTID with a tag, in the form of MySQL's serialisation library: version,
 * size, last field that must not be ignored, then fields, each its number and its value, all in integers of {@link
 * VarlenInteger}. Fields (Gtid_event::define_fields): 0 flags, 1 uuid as 16 integers, 2 gno, 3 tag (length, bytes), 4
 * last_committed, 5 sequence_number, 6 commit time µs, 7 original commit time if it differs, 8 transaction length, 9 server version,
 * 10 original version if it differs, 11 ticket.
 */
public final class GtidTaggedLogEvent {
    private static final int FIELD_FLAGS = 0;
    private static final int FIELD_UUID = 1;
    private static final int FIELD_GNO = 2;
    private static final int FIELD_TAG = 3;
    private static final int FIELD_LAST_COMMITTED = 4;
    private static final int FIELD_SEQUENCE_NUMBER = 5;
    private static final int FIELD_IMMEDIATE_COMMIT = 6;
    private static final int FIELD_ORIGINAL_COMMIT = 7;
    private static final int FIELD_TRANSACTION_LENGTH = 8;
    private static final int FIELD_IMMEDIATE_VERSION = 9;
    private static final int FIELD_ORIGINAL_VERSION = 10;
    private static final int LAST_KNOWN_FIELD = 11;
    private static final int NEEDED = 1 << FIELD_UUID | 1 << FIELD_GNO | 1 << FIELD_TAG;
    private static final int UUID_LENGTH = 16;
    private static final int VERSION = 1;

    private GtidTaggedLogEvent() {}

    /** Rejects an event with truncated fields, or without uuid, tag or a gno of 1..2^63-2. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 3, "tagged GTID");
        int from = at + EventHeader.LENGTH;
        int sizeAt = varlen(view, at, end, from, "serialisation version");
        int lastNeededAt = varlen(view, at, end, sizeAt, "size");
        int fields = varlen(view, at, end, lastNeededAt, "last field");
        long version = VarlenInteger.unsigned(view, from);
        long lastNeeded = VarlenInteger.unsigned(view, lastNeededAt);
        if (version != VERSION || lastNeeded < 0 || lastNeeded > LAST_KNOWN_FIELD + 1) {
            throw Malformed.event(
                    view,
                    at,
                    "serialisation version 1 with no needed field past 11",
                    "version " + version + ", needed " + lastNeeded);
        }
        long size = VarlenInteger.unsigned(view, sizeAt);
        if (size != end - from) {
            throw Malformed.event(view, at, "a message of " + (end - from) + " bytes", size + " in its head");
        }
        int found = checkFields(view, at, end, fields);
        if ((found & NEEDED) != NEEDED || gno(view, at, end) < 1 || gno(view, at, end) == Long.MAX_VALUE) {
            throw Malformed.event(view, at, "uuid, tag and a gno of 1..2^63-2", "fields by bit " + found);
        }
    }

    private static int checkFields(ByteBuffer view, int at, int end, int fields) {
        int found = 0;
        int from = fields;
        while (from < end) {
            int value = varlen(view, at, end, from, "field number");
            long field = VarlenInteger.unsigned(view, from);
            if (field < 0 || field > LAST_KNOWN_FIELD) {
                return found;
            }
            found |= 1 << field;
            from = value;
            for (int i = 0; i < integers(field); i++) {
                from = varlen(view, at, end, from, "a field");
            }
            if (field == FIELD_TAG) {
                long length = VarlenInteger.unsigned(view, value);
                Malformed.room(view, at, end, from, length, "tag");
                checkTag(view, at, from, length);
                from += (int) length;
            }
        }
        return found;
    }

    private static void checkTag(ByteBuffer view, int at, int from, long length) {
        boolean fits = length <= Sid.MAX_TAG_LENGTH;
        for (int i = 0; fits && i < length; i++) {
            int c = view.get(from + i);
            fits = (c >= 'a' && c <= 'z') || c == '_' || (i > 0 && c >= '0' && c <= '9');
        }
        if (!fits) {
            throw Malformed.event(view, at, "a tag of up to 32 of [a-z0-9_]", "another one of " + length + " bytes");
        }
    }

    /** Rejects an integer that exceeds the event; returns the offset after it. */
    private static int varlen(ByteBuffer view, int at, int end, int from, String content) {
        Malformed.room(view, at, end, from, 1, content);
        Malformed.room(view, at, end, from, VarlenInteger.length(view, from), content);
        return from + VarlenInteger.length(view, from);
    }

    /** {@link GtidEvent#FLAG_MAY_HAVE_SBR} or 0. */
    static int flags(ByteBuffer view, int at, int end) {
        return (int) unsigned(view, at, end, FIELD_FLAGS);
    }

    /** The source of the GTID, without its tag. */
    static UUID uuid(ByteBuffer view, int at, int end) {
        return new UUID(half(view, at, end, 0), half(view, at, end, Long.BYTES));
    }

    /** In lower case; "" if there is none. */
    static String tag(ByteBuffer view, int at, int end) {
        int length = tagLength(view, at, end);
        byte[] bytes = new byte[length];
        view.get(tagAt(view, at, end), bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** The source; {@code known} itself if it is equal, so that nothing is allocated. */
    public static Sid sid(ByteBuffer view, int at, int end, Sid known) {
        boolean same = known != null
                && known.uuid().getMostSignificantBits() == half(view, at, end, 0)
                && known.uuid().getLeastSignificantBits() == half(view, at, end, Long.BYTES)
                && known.tag().length() == tagLength(view, at, end);
        int tagAt = tagAt(view, at, end);
        for (int i = 0; same && i < known.tag().length(); i++) {
            same = known.tag().charAt(i) == view.get(tagAt + i);
        }
        return same ? known : new Sid(uuid(view, at, end), tag(view, at, end));
    }

    /** The transaction's number, from 1. */
    public static long gno(ByteBuffer view, int at, int end) {
        return signed(view, at, end, FIELD_GNO);
    }

    /** The logical clock of the transaction on which it depends. */
    public static long lastCommitted(ByteBuffer view, int at, int end) {
        return signed(view, at, end, FIELD_LAST_COMMITTED);
    }

    /** Its own logical clock, from 1 in each file. */
    public static long sequenceNumber(ByteBuffer view, int at, int end) {
        return signed(view, at, end, FIELD_SEQUENCE_NUMBER);
    }

    /** Commit time on this server, µs since 1970. */
    public static long immediateCommitMicros(ByteBuffer view, int at, int end) {
        return unsigned(view, at, end, FIELD_IMMEDIATE_COMMIT);
    }

    /** Commit time on the server where it began, µs since 1970. */
    static long originalCommitMicros(ByteBuffer view, int at, int end) {
        int field = find(view, at, end, FIELD_ORIGINAL_COMMIT) < 0 ? FIELD_IMMEDIATE_COMMIT : FIELD_ORIGINAL_COMMIT;
        return unsigned(view, at, end, field);
    }

    /** Bytes of the whole transaction in the file, from this event on, with checksums. */
    static long transactionLength(ByteBuffer view, int at, int end) {
        return unsigned(view, at, end, FIELD_TRANSACTION_LENGTH);
    }

    /** This server's version such as 80400. */
    static int immediateServerVersion(ByteBuffer view, int at, int end) {
        return (int) unsigned(view, at, end, FIELD_IMMEDIATE_VERSION);
    }

    /** The version of the server where it began, such as 80400. */
    static int originalServerVersion(ByteBuffer view, int at, int end) {
        int field = find(view, at, end, FIELD_ORIGINAL_VERSION) < 0 ? FIELD_IMMEDIATE_VERSION : FIELD_ORIGINAL_VERSION;
        return (int) unsigned(view, at, end, field);
    }

    private static long half(ByteBuffer view, int at, int end, int first) {
        int from = find(view, at, end, FIELD_UUID);
        long half = 0;
        for (int i = 0; i < first + Long.BYTES; i++) {
            half = half << Byte.SIZE | VarlenInteger.unsigned(view, from);
            from += VarlenInteger.length(view, from);
        }
        return half;
    }

    private static int tagLength(ByteBuffer view, int at, int end) {
        return (int) unsigned(view, at, end, FIELD_TAG);
    }

    private static int tagAt(ByteBuffer view, int at, int end) {
        int from = find(view, at, end, FIELD_TAG);
        return from + VarlenInteger.length(view, from);
    }

    private static long unsigned(ByteBuffer view, int at, int end, int field) {
        int from = find(view, at, end, field);
        return from < 0 ? 0 : VarlenInteger.unsigned(view, from);
    }

    private static long signed(ByteBuffer view, int at, int end, int field) {
        int from = find(view, at, end, field);
        return from < 0 ? 0 : VarlenInteger.signed(view, from);
    }

    /** Offset of a field's value; -1 if it is absent. */
    private static int find(ByteBuffer view, int at, int end, int wanted) {
        int from = at + EventHeader.LENGTH;
        for (int i = 0; i < 3; i++) {
            from += VarlenInteger.length(view, from);
        }
        while (from < end) {
            long field = VarlenInteger.unsigned(view, from);
            from += VarlenInteger.length(view, from);
            if (field == wanted) {
                return from;
            }
            if (field < 0 || field > LAST_KNOWN_FIELD) {
                return -1;
            }
            from = fieldEnd(view, from, (int) field);
        }
        return -1;
    }

    /** The number of integers in a field's value. */
    private static int integers(long field) {
        return field == FIELD_UUID ? UUID_LENGTH : 1;
    }

    private static int fieldEnd(ByteBuffer view, int from, int field) {
        int to = from;
        for (int i = 0; i < integers(field); i++) {
            to += VarlenInteger.length(view, to);
        }
        return field == FIELD_TAG ? to + (int) VarlenInteger.unsigned(view, from) : to;
    }
}
