package io.tributary.schema.sql;

import java.util.List;
import java.util.Set;

/**
 * The tokens of one statement and its text. After the end there are empty words. Immutable.
 *
 * @param text the statement
 * @param list its tokens, in order
 * @param isComplete whether each quoted text in it is terminated
 */
public record SqlTokens(String text, List<SqlToken> list, boolean isComplete) {
    public int size() {
        return list.size();
    }

    public SqlToken get(int at) {
        return list.get(at);
    }

    /** The word there in upper case; "" if there is none. */
    public String word(int at) {
        return at >= 0 && at < list.size() ? list.get(at).word() : "";
    }

    public boolean isWord(int at, String word) {
        return word(at).equals(word);
    }

    public boolean areWords(int at, String first, String second) {
        return isWord(at, first) && isWord(at + 1, second);
    }

    public boolean isOneOf(int at, Set<String> words) {
        return words.contains(word(at));
    }

    public boolean isSign(int at, char sign) {
        return at >= 0 && at < list.size() && list.get(at).isSign(sign);
    }

    public boolean isName(int at) {
        return at >= 0 && at < list.size() && list.get(at).canBeName();
    }

    public boolean isLiteral(int at) {
        return at >= 0 && at < list.size() && list.get(at).isLiteral();
    }

    /** The index after {@code IF EXISTS} or {@code IF NOT EXISTS}; the same index if there is neither. */
    public int afterIfExists(int at) {
        if (!isWord(at, "IF")) {
            return at;
        }
        int exists = isWord(at + 1, "NOT") ? at + 2 : at + 1;
        return isWord(exists, "EXISTS") ? exists + 1 : at;
    }

    /** The index after an equals sign; the same index if there is none. */
    public int afterEquals(int at) {
        return isSign(at, '=') ? at + 1 : at;
    }

    /** The index after the parenthesis that closes the one there. */
    public int afterParentheses(int at) {
        int depth = 0;
        for (int i = at; i < list.size(); i++) {
            if (isSign(i, '(')) {
                depth++;
            } else if (isSign(i, ')') && --depth == 0) {
                return i + 1;
            }
        }
        return list.size();
    }

    /** The index of the next sign outside parentheses, before {@code to}; {@code to} if there is none. */
    public int find(char sign, int from, int to) {
        int depth = 0;
        for (int i = from; i < to; i++) {
            if (depth == 0 && isSign(i, sign)) {
                return i;
            }
            depth += isSign(i, '(') ? 1 : isSign(i, ')') ? -1 : 0;
        }
        return to;
    }

    /** The index of the next two words outside parentheses, before {@code to}; {@code to} if there are none. */
    public int find(String first, String second, int from, int to) {
        int depth = 0;
        for (int i = from; i + 1 < to; i++) {
            if (depth == 0 && areWords(i, first, second)) {
                return i;
            }
            depth += isSign(i, '(') ? 1 : isSign(i, ')') ? -1 : 0;
        }
        return to;
    }

    /** The offset of a token in the text; the text's end after the last token. */
    public int start(int at) {
        return at < list.size() ? list.get(at).start() : text.length();
    }

    /** The offset after a token in the text. */
    public int end(int at) {
        return list.get(at).end();
    }

    /** Whether there is a comment between a token and the one after it. */
    public boolean hasCommentAfter(int at) {
        for (int i = end(at); i < start(at + 1); i++) {
            if (!Character.isWhitespace(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
