package io.tributary.extractor.ddl;

import io.tributary.schema.sql.SqlTokens;
import java.util.TreeMap;

/** The edits of a statement's text, and the texts that are cut from it with these edits. */
final class Edits {
    private record Edit(int end, String text) {}

    private final SqlTokens tokens;
    private final TreeMap<Integer, Edit> edits = new TreeMap<>();

    Edits(SqlTokens tokens) {
        this.tokens = tokens;
    }

    /** Replaces the characters from {@code start} to {@code end}; the first edit at an offset counts. */
    void replace(int start, int end, String text) {
        edits.putIfAbsent(start, new Edit(end, text));
    }

    /** Removes tokens, with the comma that separates them from others if they are between two commas or at the end. */
    void leaveOut(int from, int to) {
        boolean isLast = to >= tokens.size() || tokens.isSign(to, ',');
        if (tokens.isSign(from - 1, ',') && isLast) {
            replace(tokens.start(from - 1), tokens.end(to - 1), "");
        } else {
            int start = tokens.start(from); // with the spaces before them
            while (start > 0 && Character.isWhitespace(tokens.text().charAt(start - 1))) {
                start--;
            }
            replace(start, tokens.end(to - 1), "");
        }
    }

    /** As {@link #leaveOut(int, int)}, for the first item of a list. */
    void leaveOutFirst(int from, int to) {
        replace(tokens.start(from), tokens.end(tokens.isSign(to, ',') ? to : to - 1), "");
    }

    /** The whole text; the same string object if there are no edits. */
    String whole() {
        return edits.isEmpty() ? tokens.text() : cut(0, tokens.text().length());
    }

    private String cut(int start, int end) {
        StringBuilder out = new StringBuilder(end - start + 32);
        int at = start;
        for (var edit : edits.subMap(start, end).entrySet()) {
            if (edit.getKey() >= at) {
                out.append(tokens.text(), at, edit.getKey())
                        .append(edit.getValue().text());
                at = edit.getValue().end();
            }
        }
        return at < end ? out.append(tokens.text(), at, end).toString() : out.toString();
    }

    /** The text of tokens without the comments between them, so that no version comment is split. */
    String of(int from, int to) {
        StringBuilder out = new StringBuilder();
        int begun = from;
        for (int i = from; i < to; i++) {
            if (i == to - 1 || tokens.hasCommentAfter(i)) {
                out.append(out.isEmpty() ? "" : " ").append(cut(tokens.start(begun), tokens.end(i)));
                begun = i + 1;
            }
        }
        return out.toString();
    }
}
