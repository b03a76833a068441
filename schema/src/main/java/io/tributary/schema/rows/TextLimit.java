package io.tributary.schema.rows;

import java.nio.ByteBuffer;

/**
 * How much of a text a column takes.
 *
 * @param characters the most; Long.MAX_VALUE for TEXT
 * @param bytes the most, as stored
 * @param strips whether spaces at the end are not stored
 * @param cutsSpaces whether spaces at the end that are too many are cut, and do not make it too long
 */
record TextLimit(long characters, long bytes, boolean strips, boolean cutsSpaces) {
    static TextLimit of(StoredColumn from, StoredColumn to) {
        boolean plain =
                from.isVaried() && to.isVaried() && from.collation() == to.collation() && from.prefix() == to.prefix();
        boolean sameSpaces =
                from.isMember() || from.charset().spaceBytes() == to.charset().spaceBytes();
        return new TextLimit(to.mostCharacters(), to.mostBytes(), to.isFixed(), !plain && sameSpaces);
    }

    /** Where what is stored of a text of {@code from..to-1} ends, by its own character set; -1 when it is too long. */
    int end(CharacterSet charset, ByteBuffer view, int from, int to) {
        int end = strips && (cutsSpaces || fits(charset, view, from, to)) ? charset.withoutSpaces(view, from, to) : to;
        if (characters == Long.MAX_VALUE ? end - from <= bytes : fits(charset, view, from, end)) {
            return end;
        }
        int cut = characters == Long.MAX_VALUE
                ? from + (int) (bytes - bytes % charset.spaceBytes())
                : charset.behind(view, from, end, characters);
        return cutsSpaces && charset.withoutSpaces(view, from, end) <= cut ? cut : -1;
    }

    private boolean fits(CharacterSet charset, ByteBuffer view, int from, int end) {
        return (long) (end - from) <= characters || charset.count(view, from, end) <= characters;
    }
}
