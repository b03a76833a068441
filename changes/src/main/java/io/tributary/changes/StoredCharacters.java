package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.schema.rows.convert.CharacterSet;
import io.tributary.schema.rows.convert.CharacterTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Converts the bytes of a character set of MySQL to UTF-8 as a server's CONVERT does; what is no character becomes '?'. Immutable. */
abstract class StoredCharacters {
    private static final StoredCharacters UTF_8 = new Utf8();
    private static final int CODES = 256;
    private static final int MOST_UTF_8 = 4;

    /** Appends the text of the bytes. */
    abstract void append(ByteBuf out, ByteBuffer view, int at, int length);

    /** Whether the bytes are already UTF-8. */
    boolean isUtf8() {
        return false;
    }

    /**
     * The conversion of a character set, such as {@code latin1}.
     *
     * @return empty for binary and an unknown one
     */
    static Optional<StoredCharacters> of(String charset) {
        char[] single = SingleByte.TABLES.get(charset);
        if (single != null) {
            return Optional.of(new SingleByte(single));
        }
        return switch (charset) {
            case "utf8mb4", "utf8mb3", "utf8" -> Optional.of(UTF_8);
            case "gb2312" -> Optional.of(new Jdk(Charset.forName("GB2312")));
            case "big5",
                    "sjis",
                    "cp932",
                    "ujis",
                    "eucjpms",
                    "euckr",
                    "gbk",
                    "gb18030",
                    "ucs2",
                    "utf16",
                    "utf16le",
                    "utf32" ->
                Optional.of(new Table(CharacterTable.of(CharacterSet.valueOf(charset.toUpperCase(Locale.ROOT)))));
            default -> Optional.empty();
        };
    }

    private static final class Utf8 extends StoredCharacters {
        @Override
        boolean isUtf8() {
            return true;
        }

        @Override
        void append(ByteBuf out, ByteBuffer view, int at, int length) {
            if (view.hasArray()) {
                out.writeBytes(view.array(), view.arrayOffset() + at, length);
            } else {
                out.writeBytes(view.slice(at, length));
            }
        }
    }

    /** The code points of each byte, as MySQL 5.7 to 9 and MariaDB have them. */
    private static final class SingleByte extends StoredCharacters {
        private static final Map<String, char[]> TABLES = tables();

        private final char[] points;

        SingleByte(char[] points) {
            this.points = points;
        }

        /** Lines with the name of a character set and the code points of its 256 bytes. */
        private static Map<String, char[]> tables() {
            Map<String, char[]> tables = new HashMap<>();
            try (InputStream in = StoredCharacters.class.getResourceAsStream("single-byte.txt")) {
                new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().forEach(line -> {
                    int space = line.indexOf(' ');
                    char[] points = new char[CODES];
                    for (int i = 0; i < CODES; i++) {
                        int from = space + 1 + 4 * i;
                        points[i] = (char) HexFormat.fromHexDigits(line, from, from + 4);
                    }
                    tables.put(line.substring(0, space), points);
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Map.copyOf(tables);
        }

        @Override
        void append(ByteBuf out, ByteBuffer view, int at, int length) {
            out.ensureWritable(length);
            for (int i = at; i < at + length; i++) {
                char point = points[view.get(i) & 0xff];
                if (point < 0x80) {
                    out.writeByte(point);
                } else {
                    point(out, point);
                }
            }
        }
    }

    /** Character sets of several bytes for a character. */
    private static final class Table extends StoredCharacters {
        private final CharacterTable table;

        Table(CharacterTable table) {
            this.table = table;
        }

        @Override
        void append(ByteBuf out, ByteBuffer view, int at, int length) {
            int end = at + length;
            for (int next = at; next < end; ) {
                int found = table.next(view, next, end);
                point(out, found < 0 ? '?' : CharacterTable.point(found));
                next += found < 0 ? table.skipped(view, next, end) : CharacterTable.bytes(found);
            }
        }
    }

    /** A character set that the JDK converts as MySQL does. */
    private static final class Jdk extends StoredCharacters {
        private final Charset charset;

        Jdk(Charset charset) {
            this.charset = charset;
        }

        @Override
        void append(ByteBuf out, ByteBuffer view, int at, int length) {
            byte[] value = new byte[length];
            view.get(at, value);
            ByteBufUtil.writeUtf8(out, new String(value, charset).replace('\ufffd', '?'));
        }
    }

    /** Appends a code point in UTF-8. */
    private static void point(ByteBuf out, int point) {
        out.ensureWritable(MOST_UTF_8);
        if (point < 0x80) {
            out.writeByte(point);
        } else if (point < 0x800) {
            out.writeShort((0xc0 | point >> 6) << 8 | 0x80 | point & 0x3f);
        } else if (point < 0x1_0000) {
            out.writeMedium((0xe0 | point >> 12) << 16 | (0x80 | point >> 6 & 0x3f) << 8 | 0x80 | point & 0x3f);
        } else {
            out.writeInt((0xf0 | point >> 18) << 24
                    | (0x80 | point >> 12 & 0x3f) << 16
                    | (0x80 | point >> 6 & 0x3f) << 8
                    | 0x80
                    | point & 0x3f);
        }
    }
}
