package io.tributary.mysql.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Converts ranges of bytes to strings. */
public final class Text {
    private Text() {}

    public static byte[] bytes(ByteBuffer view, int from, int to) {
        byte[] bytes = new byte[to - from];
        view.get(from, bytes);
        return bytes;
    }

    public static String utf8(ByteBuffer view, int from, int to) {
        return new String(bytes(view, from, to), StandardCharsets.UTF_8);
    }

    /** Whether the range begins with an upper-case ASCII word, ignoring case. */
    public static boolean startsWith(ByteBuffer view, int from, int to, String upperCaseWord) {
        if (to - from < upperCaseWord.length()) {
            return false;
        }
        for (int i = 0; i < upperCaseWord.length(); i++) {
            int c = view.get(from + i);
            if ((c >= 'a' && c <= 'z' ? c - 32 : c) != upperCaseWord.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
