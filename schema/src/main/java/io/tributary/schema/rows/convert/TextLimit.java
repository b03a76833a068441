package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/**
 * The limits of a text in a column.
 *
 * @param characters the maximum; Long.MAX_VALUE for TEXT
 * @param bytes the maximum, as stored
 * @param strips whether trailing spaces are not stored
 * @param cutsSpaces whether excess trailing spaces are removed and do not make the text too long
 */
public record TextLimit(long characters, long bytes, boolean strips, boolean cutsSpaces) {
    static TextLimit of(StoredColumn from, StoredColumn to) {
        boolean plain =
                from.isVaried() && to.isVaried() && from.collation() == to.collation() && from.prefix() == to.prefix();
        boolean sameSpaces =
                from.isMember() || from.charset().spaceBytes() == to.charset().spaceBytes();
        return new TextLimit(to.mostCharacters(), to.mostBytes(), to.isFixed(), !plain && sameSpaces);
    }

    /** The end of the stored part of a text in {@code from..to-1}, in the text's own character set; -1 if it is too long. */
    public int end(CharacterSet charset, ByteBuffer view, int from, int to) {
        int end = strips && (cutsSpaces || fits(charset, view, from, to)) ? charset.withoutSpaces(view, from, to) : to;
        if (characters == Long.MAX_VALUE ? end - from <= bytes : fits(charset, view, from, end)) {
            return end;
        }
        int cut = characters == Long.MAX_VALUE
                ? from + (int) (bytes - bytes % charset.spaceBytes())
                : charset.offsetAfter(view, from, end, characters);
        return cutsSpaces && charset.withoutSpaces(view, from, end) <= cut ? cut : -1;
    }

    private boolean fits(CharacterSet charset, ByteBuffer view, int from, int end) {
        return (long) (end - from) <= characters || charset.count(view, from, end) <= characters;
    }
}
