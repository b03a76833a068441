package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/**
 * Maps the characters of a character set to Unicode, as MySQL does. Characters that MySQL and the JDK map differently are left out: they
 * do not convert. Immutable.
 */
public final class CharacterTable {
    private static final int HIGH_SURROGATE_LEAD = 0xd8;
    /** Linear numbers of GB18030's four-byte codes: of the first one above the BMP, and the number of those in the BMP. */
    private static final int GB18030_SUPPLEMENTARY = 189_000;

    private static final int GB18030_BMP = 39_420;

    private final CharacterSet set;
    private final char[] one;
    private final char[] two;
    private final char[] more;

    private CharacterTable(CharacterSet set, String jdkName) {
        this.set = set;
        this.one = new char[256];
        this.two = set.most() > 1 ? new char[1 << 16] : new char[0];
        this.more = new char[set.isEuc() ? 1 << 16 : set == CharacterSet.GB18030 ? GB18030_BMP : 0];
        CharsetDecoder decoder = Charset.forName(jdkName)
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        for (int i = 0; i < 256; i++) {
            one[i] = i < 0x80 ? (char) i : decode(decoder, i);
        }
        for (int i = 0x8000; i < two.length; i++) {
            two[i] = decode(decoder, i >> 8, i & 0xff);
        }
        for (int i = 0; i < more.length; i++) {
            more[i] = set.isEuc()
                    ? decode(decoder, 0x8f, i >> 8, i & 0xff)
                    : decode(decoder, 0x81 + i / 12600, 0x30 + i / 1260 % 10, 0x81 + i / 10 % 126, 0x30 + i % 10);
        }
        CharacterExceptions.apply(set, two, more);
    }

    /** 0 if the bytes are not a character of the BMP. */
    private static char decode(CharsetDecoder decoder, int... bytes) {
        byte[] encoded = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            encoded[i] = (byte) bytes[i];
        }
        CharBuffer decoded = CharBuffer.allocate(4);
        decoder.reset();
        boolean fails = decoder.decode(ByteBuffer.wrap(encoded), decoded, true).isError();
        return fails || decoded.position() != 1 ? 0 : decoded.get(0);
    }

    private static final class Latin1 {
        private static final CharacterTable TABLE = latin1();

        private static CharacterTable latin1() {
            CharacterTable table = new CharacterTable(CharacterSet.LATIN1, "windows-1252");
            for (int pendingBranch : new int[] {0x81, 0x8d, 0x8f, 0x90, 0x9d}) {
                table.one[pendingBranch] = (char) pendingBranch;
            }
            return table;
        }
    }

    private static final class Gbk {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.GBK, "GBK");
    }

    private static final class Gb18030 {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.GB18030, "GB18030");
    }

    private static final class Big5 {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.BIG5, "Big5");
    }

    private static final class Sjis {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.SJIS, "Shift_JIS");
    }

    private static final class Cp932 {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.CP932, "windows-31j");
    }

    private static final class Ujis {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.UJIS, "EUC-JP");
    }

    private static final class Eucjpms {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.EUCJPMS, "x-eucJP-Open");
    }

    private static final class Euckr {
        private static final CharacterTable TABLE = new CharacterTable(CharacterSet.EUCKR, "x-windows-949");
    }

    private static final class Wide {
        private static final CharacterTable UCS2 = new CharacterTable(CharacterSet.UCS2);
        private static final CharacterTable UTF16 = new CharacterTable(CharacterSet.UTF16);
        private static final CharacterTable UTF16LE = new CharacterTable(CharacterSet.UTF16LE);
        private static final CharacterTable UTF32 = new CharacterTable(CharacterSet.UTF32);
        private static final CharacterTable UTF8 = new CharacterTable(CharacterSet.UTF8MB4);
    }

    private CharacterTable(CharacterSet set) {
        this.set = set;
        this.one = new char[0];
        this.two = one;
        this.more = one;
    }

    /** The table of a character set; null if there is none. */
    public static CharacterTable of(CharacterSet set) {
        return switch (set) {
            case LATIN1, ASCII -> Latin1.TABLE;
            case GBK -> Gbk.TABLE;
            case GB18030 -> Gb18030.TABLE;
            case BIG5 -> Big5.TABLE;
            case SJIS -> Sjis.TABLE;
            case CP932 -> Cp932.TABLE;
            case UJIS -> Ujis.TABLE;
            case EUCJPMS -> Eucjpms.TABLE;
            case EUCKR -> Euckr.TABLE;
            case UCS2 -> Wide.UCS2;
            case UTF16 -> Wide.UTF16;
            case UTF16LE -> Wide.UTF16LE;
            case UTF32 -> Wide.UTF32;
            case UTF8MB3, UTF8MB4 -> Wide.UTF8;
            default -> null;
        };
    }

    /** The Unicode code point in the result of {@link #next}. */
    public static int point(int next) {
        return next & 0x1f_ffff;
    }

    /** The bytes in the result of {@link #next}, 1..4. */
    public static int bytes(int next) {
        return next >> 24;
    }

    /** The character at an offset before {@code end}, see {@link #point} and {@link #bytes}; negative if it does not convert. */
    public int next(ByteBuffer view, int at, int end) {
        int first = view.get(at) & 0xff;
        int bytes = set.length(view, at, end);
        if (bytes > end - at) {
            return -1;
        }
        return switch (set) {
            case UCS2 -> packed(2, unit(view, at, 0));
            case UTF16 -> utf16(view, at, bytes, 0);
            case UTF16LE -> utf16(view, at, bytes, 1);
            case UTF32 -> utf32(view, at);
            case UTF8MB4 -> utf8(view, at, bytes, first);
            default -> multibyte(view, at, bytes, first);
        };
    }

    /** The number of bytes, 1..4, of a character that does not convert; at most those before {@code end}. */
    public int skipped(ByteBuffer view, int at, int end) {
        return Math.min(end - at, set.length(view, at, end));
    }

    private int multibyte(ByteBuffer view, int at, int bytes, int first) {
        if (bytes == 1) {
            return one[first] == 0 && first != 0 ? -1 : packed(1, one[first]);
        }
        int second = view.get(at + 1) & 0xff;
        char point = 0;
        if (bytes == 2) {
            point = two[first << 8 | second];
        } else if (bytes == 3) {
            point = more[second << 8 | view.get(at + 2) & 0xff];
        } else {
            return gb18030(view, at, first, second);
        }
        return point == 0 ? -1 : packed(bytes, point);
    }

    private int gb18030(ByteBuffer view, int at, int first, int second) {
        int third = (view.get(at + 2) & 0xff) - 0x81;
        int fourth = (view.get(at + 3) & 0xff) - 0x30;
        if (third < 0 || third > 125 || fourth < 0 || fourth > 9 || second > 0x39) {
            return -1;
        }
        int linear = (((first - 0x81) * 10 + second - 0x30) * 126 + third) * 10 + fourth;
        if (linear < GB18030_BMP) {
            return more[linear] == 0 ? -1 : packed(4, more[linear]);
        }
        int point = linear - GB18030_SUPPLEMENTARY + 0x1_0000;
        return point < 0x1_0000 || point > 0x10_ffff ? -1 : packed(4, point);
    }

    private static int utf16(ByteBuffer view, int at, int bytes, int swap) {
        int high = unit(view, at, swap);
        if (bytes == 2) {
            return packed(2, high);
        }
        int low = unit(view, at + 2, swap);
        return (low & 0xfc00) == 0xdc00 ? packed(4, 0x1_0000 + ((high & 0x3ff) << 10 | low & 0x3ff)) : -1;
    }

    private static int unit(ByteBuffer view, int at, int swap) {
        return (view.get(at + swap) & 0xff) << 8 | view.get(at + 1 - swap) & 0xff;
    }

    private static int utf32(ByteBuffer view, int at) {
        long point = Integers.big(view, at, at + 4);
        return point > 0x10_ffff ? -1 : packed(4, (int) point);
    }

    private static int utf8(ByteBuffer view, int at, int bytes, int first) {
        int point = bytes == 1 ? first : first & 0x7f >> bytes;
        for (int i = 1; i < bytes; i++) {
            int next = view.get(at + i) & 0xff;
            if ((next & 0xc0) != 0x80) {
                return -1;
            }
            point = point << 6 | next & 0x3f;
        }
        boolean shortest = bytes == 1 ? first < 0x80 : point >= (bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x1_0000);
        return shortest && point <= 0x10_ffff ? packed(bytes, point) : -1;
    }

    /** Surrogates are not characters. */
    private static int packed(int bytes, int point) {
        return point >> 8 >= HIGH_SURROGATE_LEAD && point >> 8 < HIGH_SURROGATE_LEAD + 8 ? -1 : bytes << 24 | point;
    }

    /** The text of bytes; null if a character does not convert. */
    String text(byte[] bytes) {
        ByteBuffer view = ByteBuffer.wrap(bytes);
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bytes.length; ) {
            int next = next(view, at, bytes.length);
            if (next < 0) {
                return null;
            }
            text.appendCodePoint(point(next));
            at += bytes(next);
        }
        return text.toString();
    }

    /** The bytes of a text; null if a character has none. Slow: for plans and defaults. */
    public byte[] bytes(String text) {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        int[] points = text.codePoints().toArray();
        for (int point : points) {
            if (!put(point, bytes)) {
                return null;
            }
        }
        return bytes.toByteArray();
    }

    private boolean put(int point, java.io.ByteArrayOutputStream bytes) {
        switch (set) {
            case UTF8MB4 ->
                bytes.writeBytes(
                        new String(Character.toChars(point)).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            case UTF16, UCS2 ->
                bytes.writeBytes(
                        new String(Character.toChars(point)).getBytes(java.nio.charset.StandardCharsets.UTF_16BE));
            case UTF16LE ->
                bytes.writeBytes(
                        new String(Character.toChars(point)).getBytes(java.nio.charset.StandardCharsets.UTF_16LE));
            case UTF32 -> bytes.writeBytes(new byte[] {0, (byte) (point >> 16), (byte) (point >> 8), (byte) point});
            default -> {
                return putMultibyte(point, bytes);
            }
        }
        return point <= 0xffff || set != CharacterSet.UCS2;
    }

    private boolean putMultibyte(int point, java.io.ByteArrayOutputStream bytes) {
        int single = find(one, point);
        int pair = single >= 0 ? -1 : find(two, point);
        int rest = single >= 0 || pair >= 0 ? -1 : find(more, point);
        if (single >= 0) {
            bytes.write(single);
        } else if (pair >= 0) {
            bytes.write(pair >> 8);
            bytes.write(pair);
        } else if (rest >= 0 && set.isEuc()) {
            bytes.writeBytes(new byte[] {(byte) 0x8f, (byte) (rest >> 8), (byte) rest});
        } else if (set == CharacterSet.GB18030 && (rest >= 0 || point > 0xffff)) {
            int linear = rest >= 0 ? rest : point - 0x1_0000 + GB18030_SUPPLEMENTARY;
            bytes.write(0x81 + linear / 12600);
            bytes.write(0x30 + linear / 1260 % 10);
            bytes.write(0x81 + linear / 10 % 126);
            bytes.write(0x30 + linear % 10);
        } else {
            return false;
        }
        return true;
    }

    private static int find(char[] table, int point) {
        for (int i = 0; i < table.length; i++) {
            if (table[i] == point && (point != 0 || i == 0)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return set + Arrays.toString(new int[] {one.length, two.length, more.length});
    }
}
