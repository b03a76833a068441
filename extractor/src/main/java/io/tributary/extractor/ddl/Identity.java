package io.tributary.extractor.ddl;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlToken;
import io.tributary.schema.sql.SqlTokens;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The effect of a statement as one text, without irrelevant parts: comments, spaces, letter case except in table names and strings, quotes,
 * storage options, and names of indexes and constraints that are created. Two statements with the same text have the same effect.
 */
final class Identity {
    private static final int DIGITS = 16;
    private static final Set<String> CONSTRAINTS = Set.of("PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "REFERENCES");
    private static final Set<String> COLUMN_ITEMS = Set.of("ADD", "DROP", "MODIFY", "CHANGE", "ALTER");
    private static final Set<String> CLASSES = Set.of("UNIQUE", "FULLTEXT", "SPATIAL");

    private final SqlTokens tokens;
    private final UnaryOperator<TableName> names;
    private final Map<Integer, NameSpan> spans = new HashMap<>();
    private final Map<Integer, String> generated;
    private final StringBuilder out = new StringBuilder();

    /**
     * @param names maps names to those of the output
     * @param generated new names of constraints, by the offset at which the old ones begin
     */
    Identity(SqlTokens tokens, List<NameSpan> spans, UnaryOperator<TableName> names, Map<Integer, String> generated) {
        this.tokens = tokens;
        this.names = names;
        this.generated = generated;
        for (NameSpan span : spans) {
            this.spans.put(span.start(), span);
        }
    }

    /** Adds a word, or a text that was built already. */
    Identity add(String text) {
        out.append(text).append('\0');
        return this;
    }

    /** Adds a logical name; its letter case counts. */
    Identity add(TableName logical) {
        out.append('\1');
        return add(logical.schema()).add(logical.table());
    }

    /** 16 hex digits of a hash of everything that was added. */
    String digest() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            byte[] hash = sha256.digest(out.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds all tokens; for a statement that cannot be parsed. */
    Identity everything(int from, int to) {
        for (int at = from; at < to; ) {
            at = token(at);
        }
        return this;
    }

    /** Adds tokens without those that are irrelevant anywhere in a definition. */
    Identity definition(int from, int to) {
        for (int at = from; at < to; ) {
            int after = skipIrrelevant(at);
            at = after > at ? after : token(at);
        }
        return this;
    }

    private int token(int at) {
        SqlToken token = tokens.get(at);
        NameSpan span = spans.get(token.start());
        if (span != null) {
            add(names.apply(span.name()));
            int next = at;
            while (next < tokens.size() && tokens.start(next) < span.end()) {
                next++;
            }
            return next;
        }
        if (generated.containsKey(token.start())) {
            add(generated.get(token.start()).toUpperCase(Locale.ROOT));
            return at + 1;
        }
        switch (token.kind()) {
            case LITERAL -> add("'" + token.value());
            case WORD -> add(synonym(token.word()));
            case NAME -> add(token.value().toUpperCase(Locale.ROOT));
            case SIGN -> add(token.value());
        }
        return at + 1;
    }

    private static String synonym(String word) {
        return switch (word) {
            case "INDEX" -> "KEY";
            case "DATABASE" -> "SCHEMA";
            case "CHARSET" -> "CHARACTER\0SET";
            case "INTEGER" -> "INT";
            default -> word;
        };
    }

    private int skipIrrelevant(int at) {
        switch (tokens.word(at)) {
            case "COMMENT" -> {
                int value = tokens.afterEquals(at + 1);
                return tokens.isLiteral(value) ? value + 1 : at;
            }
            case "STORAGE" -> {
                return tokens.isWord(at + 1, "ENGINE") ? at + 1 : at;
            }
            case "ENGINE" -> {
                int value = tokens.afterEquals(at + 1);
                return value > at + 1 ? value + 1 : at;
            }
            case "TABLESPACE" -> {
                return at + TableOptions.tablespace(tokens, at);
            }
            case "DATA", "INDEX" -> {
                int value = tokens.afterEquals(at + 2);
                return tokens.isWord(at + 1, "DIRECTORY") && tokens.isLiteral(value) ? value + 1 : at;
            }
            case "CONSTRAINT" -> {
                if (tokens.isOneOf(at + 1, CONSTRAINTS)) {
                    return at + 1;
                }
                return tokens.isOneOf(at + 2, CONSTRAINTS) ? at + 2 : at;
            }
            case "UNIQUE" -> {
                if (tokens.isWord(at + 1, "KEY") || tokens.isWord(at + 1, "INDEX")) {
                    add("UNIQUE");
                    return at + 2;
                }
                return at;
            }
            default -> {
                return tokens.afterIfExists(at);
            }
        }
    }

    /**
     * Adds a key or constraint, in CREATE TABLE or after ADD, without its name, its comment and its build options.
     *
     * @return whether it is one; if not, nothing was added
     */
    boolean key(int from, int to) {
        int at = from;
        if (tokens.isWord(at, "CONSTRAINT")) {
            at = tokens.afterIfExists(at + 1);
            at += tokens.isOneOf(at, CONSTRAINTS) ? 0 : 1;
        }
        String first = tokens.word(at);
        boolean isNamed = true;
        switch (first) {
            case "PRIMARY", "FOREIGN" -> at += 2;
            case "INDEX", "KEY" -> at += 1;
            case "CHECK" -> {
                at += 1;
                isNamed = false;
            }
            default -> {
                if (!CLASSES.contains(first)) {
                    return false;
                }
                at += tokens.isWord(at + 1, "INDEX") || tokens.isWord(at + 1, "KEY") ? 2 : 1;
            }
        }
        add("KEY OF").add(synonym(first));
        at = tokens.afterIfExists(at);
        if (isNamed && tokens.isName(at) && !tokens.isWord(at, "USING")) {
            at++;
        }
        return keyBody(at, to);
    }

    private boolean keyBody(int from, int to) {
        for (int at = from; at < to; ) {
            if (tokens.isWord(at, "USING") || tokens.isWord(at, "TYPE") && tokens.isName(at + 1)) {
                at += 2;
            } else if (tokens.isWord(at, "KEY_BLOCK_SIZE")) {
                at = tokens.afterEquals(at + 1) + 1;
            } else if (tokens.isWord(at, "ASC")) {
                at++;
            } else if (tokens.isWord(at, "ALGORITHM") || tokens.isWord(at, "LOCK")) {
                at = tokens.afterEquals(at + 1) + 1; // option of CREATE INDEX
            } else {
                int after = skipIrrelevant(at);
                at = after > at ? after : token(at);
            }
        }
        return true;
    }

    /** Adds an index of a CREATE INDEX: from its class to ON, then its columns. */
    void createdIndex(int from, int columns) {
        String first = tokens.word(from);
        add("ADD").add("KEY OF").add(CLASSES.contains(first) ? first : "KEY");
        keyBody(columns, tokens.size());
    }

    /** Adds an index that is dropped, by DROP INDEX or ALTER TABLE. */
    void droppedIndex(SqlToken name) {
        if (name.value().equalsIgnoreCase("PRIMARY")) {
            add("DROP").add("PRIMARY").add("KEY");
        } else {
            add("DROP").add("KEY").add(name.value().toUpperCase(Locale.ROOT));
        }
    }

    /** Adds an item of ALTER TABLE. */
    void item(AlterItem item) {
        int from = item.from();
        int to = item.to();
        String first = tokens.word(from);
        if (item.is(AlterItem.Role.RENAME)) {
            boolean hasKeyword =
                    tokens.isWord(from + 1, "TO") || tokens.isWord(from + 1, "AS") || tokens.isSign(from + 1, '=');
            add("RENAME").definition(hasKeyword ? from + 2 : from + 1, to);
        } else if (first.equals("ADD") && isKey(from + 1)) {
            add("ADD").key(from + 1, to);
        } else if (first.equals("DROP") && (tokens.isWord(from + 1, "INDEX") || tokens.isWord(from + 1, "KEY"))) {
            int name = tokens.afterIfExists(from + 2);
            droppedIndex(tokens.get(Math.min(name, to - 1)));
        } else if (COLUMN_ITEMS.contains(first)) {
            column(first, from + 1, to);
        } else if (TableOptions.length(tokens, from, to) == to - from) {
            option(from, to);
        } else {
            definition(from, to);
        }
        add(";");
    }

    private boolean isKey(int at) {
        return tokens.isOneOf(at, CLASSES)
                || tokens.isOneOf(at, CONSTRAINTS)
                || tokens.isWord(at, "CONSTRAINT")
                || tokens.isWord(at, "INDEX")
                || tokens.isWord(at, "KEY");
    }

    /** Adds an item about a column or another named object: CHANGE to the same name is MODIFY. */
    private void column(String verb, int from, int to) {
        int at = tokens.isWord(from, "COLUMN") ? from + 1 : from;
        at = tokens.afterIfExists(at);
        int end = to;
        if (verb.equals("DROP") && (tokens.isWord(to - 1, "RESTRICT") || tokens.isWord(to - 1, "CASCADE"))) {
            end--;
        }
        boolean keepsName = verb.equals("CHANGE")
                && tokens.isName(at)
                && tokens.isName(at + 1)
                && tokens.get(at).value().equalsIgnoreCase(tokens.get(at + 1).value());
        add(keepsName ? "MODIFY" : verb).definition(keepsName ? at + 1 : at, end);
    }

    /** Adds one option of a table, without equals sign and DEFAULT. */
    private void option(int from, int to) {
        for (int at = from; at < to; ) {
            boolean isIrrelevant = tokens.isSign(at, '=') || at == from && tokens.isWord(at, "DEFAULT");
            at = isIrrelevant ? at + 1 : token(at);
        }
        add(",");
    }

    /** Adds everything after the name in CREATE TABLE: columns and keys, options, partitions; LIKE; SELECT. */
    void table(int from) {
        int at = from;
        if (tokens.isSign(at, '(') && tokens.isWord(at + 1, "LIKE")) {
            definition(at + 1, tokens.afterParentheses(at) - 1);
            return;
        }
        if (tokens.isSign(at, '(')) {
            int end = tokens.afterParentheses(at) - 1;
            for (int element = at + 1; element < end; ) {
                int to = tokens.find(',', element, end);
                if (!key(element, to)) {
                    definition(element, to);
                }
                add(",");
                element = to + 1;
            }
            at = end + 1;
        }
        options(at, tokens.size());
    }

    private void options(int from, int end) {
        int at = from;
        while (at < end) {
            int length = TableOptions.length(tokens, at, end);
            if (tokens.isSign(at, ',')) {
                at++;
            } else if (length == 0) {
                definition(at, end); // PARTITION BY, SELECT
                return;
            } else {
                boolean isTransaction = tokens.areWords(at, "START", "TRANSACTION");
                if (!isTransaction && !TableOptions.isOfCreation(tokens.word(at))) {
                    option(at, at + length);
                }
                at += length;
            }
        }
    }

    /** Adds everything after the name in CREATE SCHEMA and ALTER SCHEMA. */
    void schema(int from) {
        for (int at = from; at < tokens.size(); ) {
            boolean isIrrelevant =
                    tokens.isSign(at, '=') || tokens.isWord(at, "DEFAULT") && !tokens.isSign(at - 1, '=');
            int comment = skipIrrelevant(at);
            at = isIrrelevant ? at + 1 : comment > at ? comment : token(at);
        }
    }
}
