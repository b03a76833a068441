package io.tributary.extractor.ddl;

import io.tributary.schema.sql.SqlTokens;
import java.util.Set;

/** The options of a table in CREATE TABLE and ALTER TABLE (MySQL and MariaDB manuals, "table_option"). */
final class TableOptions {
    /** Options of the shard's own storage: two tables that differ in them have the same rows. */
    private static final Set<String> STORAGE = Set.of("ENGINE", "TYPE", "AUTO_INCREMENT", "COMMENT");

    private static final Set<String> OF_CREATION = Set.of(
            "TABLESPACE",
            "STORAGE",
            "DATA",
            "INDEX",
            "ROW_FORMAT",
            "KEY_BLOCK_SIZE",
            "ENCRYPTION",
            "COMPRESSION",
            "STATS_AUTO_RECALC",
            "STATS_PERSISTENT",
            "STATS_SAMPLE_PAGES",
            "AUTOEXTEND_SIZE",
            "MAX_ROWS",
            "MIN_ROWS",
            "AVG_ROW_LENGTH",
            "PACK_KEYS",
            "DELAY_KEY_WRITE");
    private static final Set<String> OTHERS = Set.of(
            "CHARSET",
            "COLLATE",
            "CHECKSUM",
            "TABLE_CHECKSUM",
            "CONNECTION",
            "ENGINE_ATTRIBUTE",
            "INSERT_METHOD",
            "PASSWORD",
            "SECONDARY_ENGINE",
            "SECONDARY_ENGINE_ATTRIBUTE",
            "UNION",
            "PAGE_CHECKSUM",
            "PAGE_COMPRESSED",
            "PAGE_COMPRESSION_LEVEL",
            "TRANSACTIONAL",
            "ENCRYPTED",
            "ENCRYPTION_KEY_ID",
            "IETF_QUOTES",
            "SEQUENCE");
    private static final Set<String> PLACES = Set.of("DISK", "MEMORY", "DEFAULT");

    private TableOptions() {}

    /** Whether an option that begins with this word is not part of a statement's identity. */
    static boolean isStorage(String word) {
        return STORAGE.contains(word);
    }

    /** As {@link #isStorage}, for CREATE TABLE, where it is enough that two tables can have the same rows. */
    static boolean isOfCreation(String word) {
        return STORAGE.contains(word) || OF_CREATION.contains(word);
    }

    /** Number of tokens of the option at this index; 0 if there is none. */
    static int length(SqlTokens tokens, int at, int to) {
        String word = tokens.word(at);
        int value;
        switch (word) {
            case "DEFAULT" -> {
                int rest = length(tokens, at + 1, to);
                return rest == 0 ? 0 : 1 + rest;
            }
            case "CHARACTER" -> value = tokens.isWord(at + 1, "SET") ? at + 2 : to;
            case "DATA", "INDEX" -> value = tokens.isWord(at + 1, "DIRECTORY") ? at + 2 : to;
            case "SECONDARY_LOAD", "SECONDARY_UNLOAD" -> {
                return 1;
            }
            case "START" -> {
                return tokens.isWord(at + 1, "TRANSACTION") ? 2 : 0;
            }
            case "TABLESPACE" -> {
                return tablespace(tokens, at);
            }
            default -> {
                boolean known = STORAGE.contains(word) || OF_CREATION.contains(word) || OTHERS.contains(word);
                value = known ? at + 1 : to;
            }
        }
        if (value >= to) {
            return 0;
        }
        value = tokens.afterEquals(value);
        int end = tokens.isSign(value, '(') ? tokens.afterParentheses(value) : value + 1;
        return Math.min(end, to) - at;
    }

    /** Number of tokens of {@code TABLESPACE [=] name [STORAGE ...]}; 0 if it is not such a clause. */
    static int tablespace(SqlTokens tokens, int at) {
        int name = tokens.afterEquals(at + 1);
        if (!tokens.isWord(at, "TABLESPACE") || !tokens.isName(name)) {
            return 0;
        }
        boolean storage = tokens.isWord(name + 1, "STORAGE") && tokens.isOneOf(name + 2, PLACES);
        return name + (storage ? 3 : 1) - at;
    }
}
