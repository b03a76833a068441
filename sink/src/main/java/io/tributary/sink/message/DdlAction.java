package io.tributary.sink.message;

import io.tributary.changes.ChangeStatement;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import java.util.Locale;
import java.util.Set;

/** What a DDL statement does, as the protocols of TiCDC name it. */
public enum DdlAction {
    /** Anything else. */
    OTHER(0, "QUERY"),
    CREATE_SCHEMA(1, "QUERY"),
    DROP_SCHEMA(2, "QUERY"),
    CREATE_TABLE(3, "CREATE"),
    DROP_TABLE(4, "ERASE"),
    ADD_COLUMN(5, "ALTER"),
    DROP_COLUMN(6, "ALTER"),
    ADD_INDEX(7, "CINDEX"),
    DROP_INDEX(8, "DINDEX"),
    ADD_FOREIGN_KEY(9, "CINDEX"),
    DROP_FOREIGN_KEY(10, "DINDEX"),
    TRUNCATE_TABLE(11, "TRUNCATE"),
    MODIFY_COLUMN(12, "ALTER"),
    RENAME_TABLE(14, "RENAME"),
    SET_DEFAULT(15, "ALTER"),
    TABLE_COMMENT(17, "ALTER"),
    RENAME_INDEX(18, "ALTER"),
    ADD_PARTITION(19, "ALTER"),
    DROP_PARTITION(20, "ALTER"),
    TABLE_CHARSET(22, "ALTER"),
    TRUNCATE_PARTITION(23, "ALTER"),
    ALTER_SCHEMA(26, "QUERY"),
    ADD_PRIMARY_KEY(32, "CINDEX"),
    DROP_PRIMARY_KEY(33, "DINDEX"),
    /** An ALTER TABLE with several of these. */
    SEVERAL(61, "ALTER"),
    /** An ALTER TABLE with anything else. */
    ALTER_TABLE(0, "ALTER");

    private static final Set<String> INDEX = Set.of("INDEX", "KEY");
    private static final Set<String> KEYS =
            Set.of("INDEX", "KEY", "UNIQUE", "PRIMARY", "FOREIGN", "CHECK", "CONSTRAINT");
    /** Items of an ALTER TABLE about how it is executed. */
    private static final Set<String> HOW = Set.of("ALGORITHM", "LOCK", "WITH", "WITHOUT", "FORCE");

    private final int code;
    private final String word;

    DdlAction(int code, String word) {
        this.code = code;
        this.word = word;
    }

    /** The number in open-protocol. */
    public int code() {
        return code;
    }

    /** The type in simple and canal-json: CREATE, RENAME, CINDEX, DINDEX, ALTER, ERASE, TRUNCATE or QUERY. */
    public String word() {
        return word;
    }

    /** What a statement does. */
    public static DdlAction of(ChangeStatement statement) {
        String verb = statement.verb().toUpperCase(Locale.ROOT).replace("DATABASE", "SCHEMA");
        return switch (verb) {
            case "CREATE SCHEMA" -> CREATE_SCHEMA;
            case "DROP SCHEMA" -> DROP_SCHEMA;
            case "ALTER SCHEMA" -> ALTER_SCHEMA;
            case "CREATE TABLE" -> CREATE_TABLE;
            case "DROP TABLE", "DROP TABLES" -> DROP_TABLE;
            case "TRUNCATE TABLE" -> TRUNCATE_TABLE;
            case "RENAME TABLE", "RENAME TABLES" -> RENAME_TABLE;
            case "CREATE INDEX" -> ADD_INDEX;
            case "DROP INDEX" -> DROP_INDEX;
            case "ALTER TABLE" -> ofAlter(SqlScanner.scan(statement.text(), SqlMode.DEFAULT));
            default -> OTHER;
        };
    }

    /** The only item of an ALTER TABLE that is not about how it is executed. */
    private static DdlAction ofAlter(SqlTokens tokens) {
        int end = tokens.size();
        int at = 0;
        while (at < end && !tokens.isWord(at, "TABLE")) {
            at++;
        }
        at = tokens.afterIfExists(at + 1) + 1;
        if (tokens.isSign(at, '.')) {
            at += 2;
        }
        DdlAction found = null;
        while (at < end) {
            int next = tokens.find(',', at, end);
            if (!tokens.isOneOf(at, HOW)) {
                DdlAction item = ofItem(tokens, at);
                found = found == null ? item : SEVERAL;
            }
            at = next + 1;
        }
        return found == null ? ALTER_TABLE : found;
    }

    private static DdlAction ofItem(SqlTokens tokens, int at) {
        int next = at + 1;
        return switch (tokens.word(at)) {
            case "ADD" -> ofAdd(tokens, next);
            case "DROP" -> ofDrop(tokens, next);
            case "MODIFY", "CHANGE" -> MODIFY_COLUMN;
            case "ALTER" -> tokens.isOneOf(next, KEYS) ? ALTER_TABLE : SET_DEFAULT;
            case "RENAME" -> {
                if (tokens.isWord(next, "COLUMN")) {
                    yield MODIFY_COLUMN;
                }
                yield tokens.isOneOf(next, INDEX) ? RENAME_INDEX : RENAME_TABLE;
            }
            case "COMMENT" -> TABLE_COMMENT;
            case "CONVERT", "CHARACTER", "CHARSET", "COLLATE", "DEFAULT" -> TABLE_CHARSET;
            case "TRUNCATE" -> TRUNCATE_PARTITION;
            default -> ALTER_TABLE;
        };
    }

    private static DdlAction ofAdd(SqlTokens tokens, int at) {
        int next = at;
        if (tokens.isWord(at, "CONSTRAINT")) {
            next = at + 1;
            if (!tokens.isOneOf(next, KEYS)) {
                next++; // its name
            }
        }
        return switch (tokens.word(next)) {
            case "INDEX", "KEY", "UNIQUE", "FULLTEXT", "SPATIAL" -> ADD_INDEX;
            case "PRIMARY" -> ADD_PRIMARY_KEY;
            case "FOREIGN" -> ADD_FOREIGN_KEY;
            case "PARTITION" -> ADD_PARTITION;
            case "CHECK" -> ALTER_TABLE;
            default -> ADD_COLUMN;
        };
    }

    private static DdlAction ofDrop(SqlTokens tokens, int at) {
        return switch (tokens.word(at)) {
            case "INDEX", "KEY" -> DROP_INDEX;
            case "PRIMARY" -> DROP_PRIMARY_KEY;
            case "FOREIGN" -> DROP_FOREIGN_KEY;
            case "PARTITION" -> DROP_PARTITION;
            case "CHECK", "CONSTRAINT" -> ALTER_TABLE;
            default -> DROP_COLUMN;
        };
    }
}
