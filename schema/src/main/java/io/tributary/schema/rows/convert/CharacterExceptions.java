package io.tributary.schema.rows.convert;

/**
 * Characters that MySQL 8.0.31 maps to another code point than the JDK does, measured with CONVERT on a server; 0: no code point. A code of
 * four bytes is one of GB18030, one of three begins with 0x8f.
 */
final class CharacterExceptions {
    private static final int PRIVATE_FIRST = 0xe000;
    private static final int PRIVATE_LAST = 0xf8ff;
    /** Characters in a row of EUC. */
    private static final int ROW = 94;
    /** Rows of EUC-JP for private use, in each of its two planes. */
    private static final int PRIVATE_ROWS = 10;

    private static final int[][] GBK = {{0xa2e3, 0}, {0xa892, 0x2295}};
    private static final int[][] BIG5 = {
        {0xa15a, 0xfffd}, {0xa1c3, 0xfffd}, {0xa1c5, 0xfffd}, {0xa1fe, 0xfffd}, {0xa240, 0xfffd}, {0xa2cc, 0xfffd},
        {0xa2ce, 0xfffd}, {0xf9d6, 0x7881}, {0xf9d7, 0x92b9}, {0xf9d8, 0x88cf}, {0xf9d9, 0x58bb}, {0xf9da, 0x6052},
        {0xf9db, 0x7ca7}, {0xf9dc, 0x5afa}
    };
    private static final int[][] SJIS = {{0x815c, 0x2015}, {0x815f, 0x5c}};
    private static final int[][] UJIS = {{0xa1bd, 0x2015}, {0xa1c0, 0x5c}, {0x8fa2b7, 0x7e}};
    private static final int[][] EUCJPMS = {
        {0x8fa2c3, 0xffe4},
        {0xa1bd, 0x2015},
        {0xa1c1, 0xff5e},
        {0xa1c2, 0x2225},
        {0xa1dd, 0xff0d},
        {0xa1f1, 0xffe0},
        {0xa1f2, 0xffe1},
        {0xa2cc, 0xffe2}
    };
    private static final int[][] GB18030 = {
        {0xa6d9, 0xe78d},
        {0xa6da, 0xe78e},
        {0xa6db, 0xe78f},
        {0xa6dc, 0xe790},
        {0xa6dd, 0xe791},
        {0xa6de, 0xe792},
        {0xa6df, 0xe793},
        {0xa6ec, 0xe794},
        {0xa6ed, 0xe795},
        {0xa6f3, 0xe796},
        {0xfe59, 0xe81e},
        {0xfe61, 0xe826},
        {0xfe66, 0xe82b},
        {0xfe67, 0xe82c},
        {0xfe6d, 0xe832},
        {0xfe7e, 0xe843},
        {0xfe90, 0xe854},
        {0xfea0, 0xe864},
        {0x82359037, 0x9fb4},
        {0x82359038, 0x9fb5},
        {0x82359039, 0x9fb6},
        {0x82359130, 0x9fb7},
        {0x82359131, 0x9fb8},
        {0x82359132, 0x9fb9},
        {0x82359133, 0x9fba},
        {0x82359134, 0x9fbb},
        {0x84318236, 0xfe10},
        {0x84318237, 0xfe11},
        {0x84318238, 0xfe12},
        {0x84318239, 0xfe13},
        {0x84318330, 0xfe14},
        {0x84318331, 0xfe15},
        {0x84318332, 0xfe16},
        {0x84318333, 0xfe17},
        {0x84318334, 0xfe18},
        {0x84318335, 0xfe19}
    };

    private CharacterExceptions() {}

    /** Changes the tables of a character set: two-byte codes, and codes after 0x8f or GB18030's linear numbers. */
    static void apply(CharacterSet set, char[] two, char[] more) {
        switch (set) {
            case GBK -> {
                dropPrivate(two);
                put(GBK, two, more);
            }
            case EUCKR -> dropPrivate(two);
            case BIG5 -> put(BIG5, two, more);
            case SJIS -> put(SJIS, two, more);
            case GB18030 -> put(GB18030, two, more);
            case UJIS -> {
                put(UJIS, two, more);
                putPrivate(two, PRIVATE_FIRST);
                putPrivate(more, PRIVATE_FIRST + PRIVATE_ROWS * ROW);
            }
            case EUCJPMS -> {
                put(EUCJPMS, two, more);
                putPrivate(two, PRIVATE_FIRST);
                putPrivate(more, PRIVATE_FIRST + PRIVATE_ROWS * ROW);
            }
            default -> {
                // no exceptions
            }
        }
    }

    private static void dropPrivate(char[] two) {
        for (int i = 0; i < two.length; i++) {
            two[i] = two[i] >= PRIVATE_FIRST && two[i] <= PRIVATE_LAST ? 0 : two[i];
        }
    }

    private static void putPrivate(char[] table, int first) {
        for (int i = 0; i < PRIVATE_ROWS * ROW; i++) {
            table[0xf5 + i / ROW << 8 | 0xa1 + i % ROW] = (char) (first + i);
        }
    }

    private static void put(int[][] exceptions, char[] two, char[] more) {
        for (int[] one : exceptions) {
            int code = one[0];
            if (code > 0 && code <= 0xffff) {
                two[code] = (char) one[1];
            } else if (code > 0) {
                more[code & 0xffff] = (char) one[1];
            } else {
                int linear =
                        (((code >>> 24) - 0x81) * 10 + (code >> 16 & 0xff) - 0x30) * 126 + (code >> 8 & 0xff) - 0x81;
                more[linear * 10 + (code & 0xff) - 0x30] = (char) one[1];
            }
        }
    }
}
