package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/** MySQL's character sets, by the numbers of their collations (information_schema.collations; also MariaDB's). */
public enum CharacterSet {
    BINARY(1, "63"),
    BIG5(2, "1 84"),
    LATIN2(1, "2 9 21 27 77"),
    DEC8(1, "3 69"),
    CP850(1, "4 80"),
    LATIN1(1, "5 8 15 31 47 48 49 94"),
    HP8(1, "6 72"),
    KOI8R(1, "7 74"),
    SWE7(1, "10 82"),
    ASCII(1, "11 65"),
    UJIS(3, "12 91"),
    SJIS(2, "13 88"),
    CP1251(1, "14 23 50 51 52"),
    HEBREW(1, "16 71"),
    TIS620(1, "18 89"),
    EUCKR(2, "19 85"),
    KOI8U(1, "22 75"),
    GB2312(2, "24 86"),
    GREEK(1, "25 70"),
    CP1250(1, "26 34 44 66 99"),
    GBK(2, "28 87"),
    CP1257(1, "29 58 59"),
    LATIN5(1, "30 78"),
    ARMSCII8(1, "32 64"),
    CP866(1, "36 68"),
    KEYBCS2(1, "37 73"),
    MACCE(1, "38 43"),
    MACROMAN(1, "39 53"),
    CP852(1, "40 81"),
    LATIN7(1, "20 41 42 79"),
    CP1256(1, "57 67"),
    GEOSTD8(1, "92 93"),
    CP932(2, "95 96"),
    EUCJPMS(3, "97 98"),
    GB18030(4, "248 249 250"),
    UTF16LE(4, "56 62"),
    UTF8MB3(3, ""),
    UTF8MB4(4, ""),
    UCS2(2, ""),
    UTF16(4, ""),
    UTF32(4, "");

    private static final Pattern SPACE = Pattern.compile(" ");
    private static final int PLACES = 384;
    /** Offset of the numbers of MariaDB's collations without padding from those with padding (MY_NOPAD_ID). */
    private static final int NO_PAD = 1024;

    private static final CharacterSet[] BY_COLLATION = byCollation();

    private final int most;
    private final String collations;

    /** @param collations their numbers separated by blanks; numbers of whole ranges are in byCollation */
    CharacterSet(int most, String collations) {
        this.most = most;
        this.collations = collations;
    }

    /** The character set of a collation; null for 0 and for an unknown one. */
    static CharacterSet of(int collation) {
        if (collation >= 2048 && collation < 2048 + 5 * 256) {
            return switch (collation >> 8) { // MariaDB's collations of UCA 14.0.0
                case 8 -> UTF8MB3;
                case 9 -> UTF8MB4;
                case 10 -> UCS2;
                case 11 -> UTF16;
                default -> UTF32;
            };
        }
        int number = collation >= NO_PAD && collation < 2 * NO_PAD ? collation - NO_PAD : collation;
        return number > 0 && number < PLACES ? BY_COLLATION[number] : null;
    }

    private static CharacterSet[] byCollation() {
        CharacterSet[] all = new CharacterSet[PLACES];
        for (CharacterSet set : values()) {
            for (String collation : SPACE.splitAsStream(set.collations).toList()) {
                if (!collation.isEmpty()) {
                    all[Integer.parseInt(collation)] = set;
                }
            }
        }
        put(all, UTF8MB3, 33, 33, 76, 76, 83, 83, 192, 215, 223, 223);
        put(all, UTF8MB4, 45, 46, 224, 247, 255, PLACES - 1);
        put(all, UCS2, 35, 35, 90, 90, 128, 151, 159, 159);
        put(all, UTF16, 54, 55, 101, 124);
        put(all, UTF32, 60, 61, 160, 183);
        return all;
    }

    private static void put(CharacterSet[] all, CharacterSet set, int... ranges) {
        for (int i = 0; i < ranges.length; i += 2) {
            for (int collation = ranges[i]; collation <= ranges[i + 1]; collation++) {
                all[collation] = set;
            }
        }
    }

    /** Maximum bytes of a character. */
    int most() {
        return most;
    }

    /** Whether it is one of the two forms of EUC-JP. */
    boolean isEuc() {
        return this == UJIS || this == EUCJPMS;
    }

    /** The bytes of a space. */
    int spaceBytes() {
        return switch (this) {
            case UCS2, UTF16, UTF16LE -> 2;
            case UTF32 -> 4;
            default -> 1;
        };
    }

    /** Whether each text in it has the same bytes in another. */
    boolean isPartOf(CharacterSet other) {
        return this == other
                || this == UTF8MB3 && other == UTF8MB4
                || this == ASCII && (other == UTF8MB3 || other == UTF8MB4 || other == LATIN1);
    }

    /** Bytes of the character at an offset, by its first bytes; may exceed {@code to} if the text is truncated. */
    int length(ByteBuffer view, int at, int to) {
        if (most == 1) {
            return 1;
        }
        int first = view.get(at) & 0xff;
        return switch (this) {
            case UTF8MB3, UTF8MB4 -> first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
            case UCS2 -> 2;
            case UTF32 -> 4;
            case UTF16 -> (first & 0xfc) == 0xd8 ? 4 : 2;
            case UTF16LE -> at + 1 < to && (view.get(at + 1) & 0xfc) == 0xd8 ? 4 : 2;
            case SJIS, CP932 -> first >= 0x81 && first <= 0x9f || first >= 0xe0 && first <= 0xfc ? 2 : 1;
            case UJIS, EUCJPMS -> first == 0x8f ? 3 : first == 0x8e || first >= 0xa1 && first <= 0xfe ? 2 : 1;
            case GB18030 -> first < 0x81 ? 1 : at + 1 < to && (view.get(at + 1) & 0xf0) == 0x30 ? 4 : 2;
            default -> first >= 0x81 && first <= 0xfe ? 2 : 1;
        };
    }

    /** The number of characters in {@code from..to-1}. */
    int count(ByteBuffer view, int from, int to) {
        if (most == 1) {
            return to - from;
        }
        int count = 0;
        for (int at = from; at < to; at += length(view, at, to)) {
            count++;
        }
        return count;
    }

    /** The offset after the first {@code characters} of {@code from..to-1}. */
    int offsetAfter(ByteBuffer view, int from, int to, long characters) {
        int at = from;
        for (long left = characters; left > 0 && at < to; left--) {
            at += length(view, at, to);
        }
        return Math.min(at, to);
    }

    /** The end of {@code from..to-1} without its trailing spaces. */
    int withoutSpaces(ByteBuffer view, int from, int to) {
        int bytes = spaceBytes();
        int end = to;
        while (end - from >= bytes && isSpace(view, end - bytes, bytes)) {
            end -= bytes;
        }
        return end;
    }

    private boolean isSpace(ByteBuffer view, int at, int bytes) {
        int low = this == UTF16LE ? at : at + bytes - 1;
        for (int i = at; i < at + bytes; i++) {
            if (view.get(i) != (i == low ? ' ' : 0)) {
                return false;
            }
        }
        return true;
    }
}
