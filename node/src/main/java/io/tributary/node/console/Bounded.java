package io.tributary.node.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes texts and lists that may be of any length short enough for a page that is sent every few seconds. */
final class Bounded {
    /** The maximum length of a text, in characters. */
    static final int TEXT = 600;

    private Bounded() {}

    /** The text, or its beginning and the length of the rest. */
    static String text(String text) {
        if (text == null || text.length() <= TEXT) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(TEXT - 1)) ? TEXT - 1 : TEXT;
        return text.substring(0, end) + " ... and " + (text.length() - end) + " more characters";
    }

    /** The first items, and the number of all: {@code total} and {@code shown}. */
    static <T> Map<String, Object> list(List<T> all, int most, Function<T, Object> item) {
        return list(all.size(), all, most, item);
    }

    /** As above, if there are more than those in the list. */
    static <T> Map<String, Object> list(int total, List<T> first, int most, Function<T, Object> item) {
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("total", total);
        list.put("shown", first.stream().limit(most).map(item).toList());
        return list;
    }
}
