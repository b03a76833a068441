package io.tributary.schema.keys;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the keys of the rows of transactions, in both images of each row. For one thread; nothing is allocated for a transaction. */
public final class KeyReader {
    private static final int PARTIAL_JSON_UPDATES = 1;
    private static final int NULL = -1;
    private static final int FIRST_PRINTABLE = ' ' + 1;
    private static final int DELETE = 0x7f;

    private ByteBuffer view;
    private int end;
    private WriteSets to;

    /** Offset of each value of a row; {@link #NULL} for NULL. */
    private int[] begins = new int[64];

    /** The bytes of each value, with the length before it. */
    private int[] lengths = new int[64];

    /** A text in its form. */
    private byte[] text = new byte[256];

    private int textLength;

    /**
     * Adds the keys of one transaction.
     *
     * @param plans of all its tables; the first {@code count} count
     * @param rows the events of the transaction
     * @param from offset of the first event
     * @param limit offset after the last event
     */
    public void read(KeyPlan[] plans, int count, ByteBuffer rows, int from, int limit, WriteSets into) {
        view = rows;
        to = into;
        into.begin();
        for (int i = 0; i < count; i++) {
            addLocks(plans[i]);
        }
        into.end(readEvents(plans, count, from, limit) && !into.isTooLarge());
    }

    /** A transaction whose keys are not hashed. */
    public static void skip(WriteSets into) {
        into.begin();
        into.end(false);
    }

    private void addLocks(KeyPlan plan) {
        if (plan.locksTable()) {
            to.add(plan.lock & ~WriteSets.FLAGS | WriteSets.HAS_SHARED);
        }
        for (long lock : plan.sharedLocks) {
            to.add(lock & ~WriteSets.FLAGS | WriteSets.SHARED);
        }
    }

    private boolean readEvents(KeyPlan[] plans, int count, int from, int limit) {
        KeyPlan plan = count == 0 ? null : plans[0];
        for (int at = from; at < limit; at = end) {
            end = EventHeader.end(view, at);
            if (!RowsEvent.isRows(EventHeader.type(view, at))) {
                continue;
            }
            long id = RowsEvent.tableId(view, at);
            if (plan == null || plan.tableId() != id) {
                plan = find(plans, count, id);
            }
            if (plan == null || plan.isAlone() || plan.keys.length > 0 && !readRows(plan, at) || to.isTooLarge()) {
                return false;
            }
        }
        return true;
    }

    private static KeyPlan find(KeyPlan[] plans, int count, long id) {
        for (int i = 0; i < count; i++) {
            if (plans[i].tableId() == id) {
                return plans[i];
            }
        }
        return null;
    }

    /** False if the rows are not as the plan expects. */
    private boolean readRows(KeyPlan plan, int at) {
        if (RowsEvent.columnCount(view, at) != plan.widths.length || !RowsEvent.hasAllColumns(view, at)) {
            return false;
        }
        if (begins.length < plan.widths.length) {
            begins = new int[plan.widths.length];
            lengths = new int[plan.widths.length];
        }
        boolean isUpdate = RowsEvent.isUpdate(view, at);
        boolean isPartial = EventHeader.type(view, at) == EventType.PARTIAL_UPDATE_ROWS_EVENT;
        boolean isAfter = false;
        int next = RowsEvent.rowsAt(view, at);
        while (next < end && next >= 0) {
            int image = isPartial && isAfter ? afterOptions(plan, next) : next;
            next = image < 0 ? -1 : locate(plan, image);
            if (next >= 0) {
                addKeys(plan);
            }
            isAfter = isUpdate && !isAfter;
        }
        return next == end && !isAfter;
    }

    /** The offset after the options of a partial update and the bits of its JSON columns; negative if the event is too short. */
    private int afterOptions(KeyPlan plan, int at) {
        int length = PackedInteger.lengthByFirst(LittleEndian.getU8(view, at));
        if (length == 0 || length > end - at) {
            return -1;
        }
        boolean hasBits = (PackedInteger.get(view, at) & PARTIAL_JSON_UPDATES) != 0;
        return at + length + (hasBits ? (plan.jsonColumns + 7) / 8 : 0);
    }

    /** Finds the values of an image with all columns; returns the offset after it, or a negative number if it does not fit into the event. */
    private int locate(KeyPlan plan, int nullsAt) {
        int[] widths = plan.widths;
        int next = nullsAt + (widths.length + 7) / 8;
        if (next > end) {
            return -1;
        }
        for (int i = 0; i < widths.length; i++) {
            if ((view.get(nullsAt + i / 8) >> i % 8 & 1) != 0) {
                begins[i] = NULL;
                continue;
            }
            int width = widths[i];
            long length = width >= 0 ? width : -width > end - next ? Long.MAX_VALUE : -width + prefixed(next, -width);
            if (length > end - next) {
                return -1;
            }
            begins[i] = next;
            lengths[i] = (int) length;
            next += (int) length;
        }
        return next;
    }

    private long prefixed(int at, int bytes) {
        return switch (bytes) {
            case 1 -> LittleEndian.getU8(view, at);
            case 2 -> LittleEndian.getU16(view, at);
            case 3 -> LittleEndian.getU24(view, at);
            default -> LittleEndian.getU32(view, at);
        };
    }

    private void addKeys(KeyPlan plan) {
        for (KeyPlan.PlannedKey key : plan.keys) {
            long state = key.seed;
            boolean isNull = false;
            boolean isKnown = true;
            for (int i = 0; i < key.columns.length && !isNull; i++) {
                int column = key.columns[i];
                isNull = begins[column] == NULL;
                if (!isNull && isKnown) {
                    int prefix = Math.max(0, -plan.widths[column]);
                    int from = begins[column] + prefix;
                    int length = lengths[column] - prefix;
                    int most = key.prefixes[i] == 0 ? length : Math.min(length, key.prefixes[i]);
                    isKnown = key.forms[i] != KeyForm.FOLDED_TEXT || fold(from, most);
                    state = isKnown ? add(state, key.forms[i], from, most) : state;
                }
            }
            if (!isNull) {
                to.add(
                        isKnown
                                ? KeyHash.end(state) & ~WriteSets.FLAGS | key.flags
                                : key.lock & ~WriteSets.FLAGS | WriteSets.HAS_SHARED);
            }
        }
    }

    /** The state after one value. */
    private long add(long state, KeyForm form, int from, int length) {
        return switch (form) {
            case FIXED -> fixed(state, from, length);
            case DECIMAL -> isNegativeZero(from, length) ? positiveZero(state, length) : fixed(state, from, length);
            case FLOAT -> {
                int bits = LittleEndian.getInt(view, from);
                yield KeyHash.add(state, bits == Integer.MIN_VALUE ? 0 : bits);
            }
            case DOUBLE -> {
                long bits = LittleEndian.getLong(view, from);
                yield KeyHash.add(state, bits == Long.MIN_VALUE ? 0 : bits);
            }
            case BYTES -> KeyHash.add(state, view, from, length);
            case PADDED_BYTES -> KeyHash.add(state, view, from, withoutPad(from, length));
            case TEXT -> KeyHash.add(state, view, from, withoutSpaces(from, length));
            case FOLDED_TEXT -> KeyHash.add(state, text, textLength);
        };
    }

    private long fixed(long state, int from, int length) {
        return switch (length) {
            case Integer.BYTES -> KeyHash.add(state, LittleEndian.getInt(view, from));
            case Long.BYTES -> KeyHash.add(state, LittleEndian.getLong(view, from));
            default -> KeyHash.add(state, view, from, length);
        };
    }

    /** The digits of a negative number are inverted, and its first bit is 0. */
    private boolean isNegativeZero(int from, int length) {
        boolean isZero = length > 0 && view.get(from) == Byte.MAX_VALUE;
        for (int i = 1; i < length && isZero; i++) {
            isZero = view.get(from + i) == -1;
        }
        return isZero;
    }

    private long positiveZero(long state, int length) {
        if (text.length < length) {
            text = new byte[length];
        }
        Arrays.fill(text, 0, length, (byte) 0);
        text[0] = Byte.MIN_VALUE;
        return switch (length) {
            case Integer.BYTES -> KeyHash.add(state, LittleEndian.getInt(text, 0));
            case Long.BYTES -> KeyHash.add(state, LittleEndian.getLong(text, 0));
            default -> KeyHash.add(state, text, length);
        };
    }

    private int withoutPad(int from, int length) {
        int rest = length;
        while (rest > 0 && (view.get(from + rest - 1) == 0 || view.get(from + rest - 1) == ' ')) {
            rest--;
        }
        return rest;
    }

    private int withoutSpaces(int from, int length) {
        int rest = length;
        while (rest > 0 && view.get(from + rest - 1) == ' ') {
            rest--;
        }
        return rest;
    }

    /** The form of an ASCII text, for checks. */
    static byte[] folded(byte[] ascii) {
        KeyReader reader = new KeyReader();
        reader.view = ByteBuffer.wrap(ascii);
        reader.fold(0, ascii.length);
        return Arrays.copyOf(reader.text, reader.textLength);
    }

    /** Brings a text into its form; false if it has none. */
    private boolean fold(int from, int length) {
        if (text.length < length) {
            text = new byte[Math.max(length, 2 * text.length)];
        }
        int size = 0;
        int spaces = 0; // before the next character; they do not count at the end
        for (int i = 0; i < length; i++) {
            byte one = view.get(from + i);
            if (one < 0) {
                return false;
            }
            if (one == ' ') {
                spaces++;
            } else if (one >= FIRST_PRINTABLE && one != DELETE) {
                for (; spaces > 0; spaces--) {
                    text[size++] = ' ';
                }
                text[size++] = (byte) (one >= 'A' && one <= 'Z' ? one | 0x20 : one);
            }
        }
        textLength = size;
        return true;
    }
}
