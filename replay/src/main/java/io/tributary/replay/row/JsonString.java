package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes strings of JSON. */
public final class JsonString {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final boolean[] ESCAPED = new boolean[256];

    static {
        for (int i = 0; i < ' '; i++) {
            ESCAPED[i] = true;
        }
        ESCAPED['"'] = true;
        ESCAPED['\\'] = true;
    }

    private JsonString() {}

    /** The bytes of a JSON string with its quotes. */
    public static byte[] quoted(String text) {
        ByteBuf out = Unpooled.buffer(text.length() + 2);
        quoted(out, text);
        return ByteBufUtil.getBytes(out);
    }

    /** Appends a string with its quotes. */
    public static void quoted(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        quoted(out, ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    /** Appends bytes of UTF-8 as a string with its quotes. */
    public static void quoted(ByteBuf out, ByteBuffer view, int at, int length) {
        out.writeByte('"');
        escaped(out, view, at, length);
        out.writeByte('"');
    }

    /** Appends the same without quotes. */
    public static void escaped(ByteBuf out, ByteBuffer view, int at, int length) {
        int end = at + length;
        int plain = at;
        for (int i = at; i < end; i++) {
            if (ESCAPED[view.get(i) & 0xff]) {
                copy(out, view, plain, i);
                escape(out, view.get(i));
                plain = i + 1;
            }
        }
        copy(out, view, plain, end);
    }

    private static void copy(ByteBuf out, ByteBuffer view, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return;
        }
        out.ensureWritable(length);
        int at = out.writerIndex();
        if (view.hasArray() && out.hasArray()) {
            System.arraycopy(view.array(), view.arrayOffset() + from, out.array(), out.arrayOffset() + at, length);
        } else {
            out.setBytes(at, view.slice(from, length));
        }
        out.writerIndex(at + length);
    }

    private static void escape(ByteBuf out, byte one) {
        out.writeByte('\\');
        switch (one) {
            case '"', '\\' -> out.writeByte(one);
            case '\b' -> out.writeByte('b');
            case '\f' -> out.writeByte('f');
            case '\n' -> out.writeByte('n');
            case '\r' -> out.writeByte('r');
            case '\t' -> out.writeByte('t');
            default -> {
                AsciiText.text(out, "u00");
                out.writeByte(HEX[one >> 4]).writeByte(HEX[one & 15]);
            }
        }
    }
}
