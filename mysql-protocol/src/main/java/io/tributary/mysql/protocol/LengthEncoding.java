package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.charset.StandardCharsets;

/** Length-encoded integers and strings, and strings terminated by a zero byte (manual page "Basic Data Types"). */
public final class LengthEncoding {
    /** First byte of a null value in a row of a text result set. */
    public static final int NULL_VALUE = 0xfb;

    private LengthEncoding() {}

    /** Reads a length-encoded integer; rejects a value above 2^63-1. */
    public static long readInteger(ByteBuf in) {
        need(in, 1);
        int first = in.readUnsignedByte();
        if (first < NULL_VALUE) {
            return first;
        }
        return switch (first) {
            case 0xfc -> {
                need(in, 2);
                yield in.readUnsignedShortLE();
            }
            case 0xfd -> {
                need(in, 3);
                yield in.readUnsignedMediumLE();
            }
            case 0xfe -> readLong(in);
            default -> throw malformed("a length-encoded integer", "the byte 0x" + Integer.toHexString(first));
        };
    }

    private static long readLong(ByteBuf in) {
        need(in, 8);
        long value = in.readLongLE();
        if (value < 0) {
            throw malformed("a length-encoded integer below 2^63", "a larger one");
        }
        return value;
    }

    /** Writes a length-encoded integer in the shortest form, 1 to 9 bytes; unsigned. */
    public static void writeInteger(ByteBuf out, long value) {
        if (value < NULL_VALUE && value >= 0) {
            out.writeByte((int) value);
        } else if (value >= 0 && value < 1 << 16) {
            out.writeByte(0xfc).writeShortLE((int) value);
        } else if (value >= 0 && value < 1 << 24) {
            out.writeByte(0xfd).writeMediumLE((int) value);
        } else {
            out.writeByte(0xfe).writeLongLE(value);
        }
    }

    /** Reads a length-encoded byte string as a copy. */
    public static byte[] readBytes(ByteBuf in) {
        long length = readInteger(in);
        if (length > in.readableBytes()) {
            throw malformed(length + " bytes", in.readableBytes() + " bytes");
        }
        return ByteBufUtil.getBytes(in.readSlice((int) length));
    }

    /** Reads a length-encoded string in UTF-8. */
    public static String readString(ByteBuf in) {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /** Writes a length-encoded byte string. */
    public static void writeBytes(ByteBuf out, byte[] bytes) {
        writeInteger(out, bytes.length);
        out.writeBytes(bytes);
    }

    /** Writes a length-encoded string in UTF-8. */
    public static void writeString(ByteBuf out, String text) {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a string in UTF-8 up to a zero byte, which is consumed, or up to the end of the packet. */
    public static String readZeroEnded(ByteBuf in) {
        int length = in.bytesBefore((byte) 0);
        if (length < 0) {
            return readRest(in);
        }
        String text = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
        in.skipBytes(1);
        return text;
    }

    /** Writes a string in UTF-8, which must not contain a zero, and a zero. */
    public static void writeZeroEnded(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
        out.writeByte(0);
    }

    /** Reads the remaining bytes of the packet as a string in UTF-8. */
    public static String readRest(ByteBuf in) {
        return in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString();
    }

    /** Rejects a packet that has fewer than {@code bytes} bytes left. */
    public static void need(ByteBuf in, int bytes) {
        if (in.readableBytes() < bytes) {
            throw malformed("at least " + bytes + " more bytes", in.readableBytes() + " bytes");
        }
    }

    private static TributaryException malformed(String expected, String found) {
        return new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED, "malformed packet: expected " + expected + ", found " + found);
    }
}
