package io.tributary.extractor.ddl;

import io.tributary.schema.sql.SqlTokens;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The parser of the first words of a statement and of the names that belong to them. */
final class DdlParser {
    private static final Set<String> TRANSACTION =
            Set.of("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "START", "XA", "END");
    private static final Set<String> ROWS = Set.of(
            "INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "CALL", "DO", "SELECT", "WITH", "HANDLER", "VALUES");
    private static final Set<String> SERVER = Set.of(
            "ANALYZE",
            "OPTIMIZE",
            "REPAIR",
            "CHECK",
            "CHECKSUM",
            "FLUSH",
            "RESET",
            "CACHE",
            "KILL",
            "INSTALL",
            "UNINSTALL",
            "PURGE",
            "RESTART",
            "CLONE",
            "LOCK",
            "UNLOCK");
    private static final Set<String> PROGRAMS = Set.of("VIEW", "TRIGGER", "FUNCTION", "PROCEDURE", "EVENT");
    private static final Set<String> OBJECTS = Set.of(
            "TABLE",
            "TABLES",
            "INDEX",
            "DATABASE",
            "SCHEMA",
            "VIEW",
            "TRIGGER",
            "FUNCTION",
            "PROCEDURE",
            "EVENT",
            "USER",
            "ROLE",
            "SERVER",
            "TABLESPACE",
            "INSTANCE",
            "LOGFILE",
            "RESOURCE",
            "REFERENCE",
            "LIBRARY");
    private static final Map<String, String> SINGULAR = Map.of("TABLES", "TABLE", "DATABASE", "SCHEMA");
    private static final Set<String> SCHEMA_OPTIONS =
            Set.of("DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "UPGRADE");

    private final TokenCursor in;
    private final SqlTokens tokens;
    private StatementKind kind = StatementKind.OTHER;
    private String verb = "";
    private String action = "";
    private String object = "";
    private boolean conditional;
    private boolean replaces;
    private int actionAt;
    private int onAt;
    private int bodyAt;

    private DdlParser(SqlTokens tokens, String defaultSchema) {
        this.tokens = tokens;
        this.in = new TokenCursor(tokens, defaultSchema);
    }

    static DdlParser parse(SqlTokens tokens, String defaultSchema) {
        DdlParser parser = new DdlParser(tokens, defaultSchema);
        parser.statement();
        boolean needsName = parser.kind == StatementKind.TABLE || parser.kind == StatementKind.SCHEMA;
        if (needsName && parser.names().isEmpty()) {
            parser.kind = StatementKind.OTHER;
        }
        return parser;
    }

    StatementKind kind() {
        return kind;
    }

    String verb() {
        return verb;
    }

    List<NameSpan> names() {
        return in.names();
    }

    /** CREATE, ALTER, DROP, RENAME, TRUNCATE; "" for anything else. */
    String action() {
        return action;
    }

    /** The kind of object, in the singular: TABLE, INDEX, SCHEMA and so on; "" if it is not known. */
    String object() {
        return object;
    }

    /** Whether IF EXISTS or IF NOT EXISTS precedes the name. */
    boolean conditional() {
        return conditional;
    }

    /** Whether it is MariaDB's CREATE OR REPLACE, or a view's. */
    boolean replaces() {
        return replaces;
    }

    /** Index of the token after the action's word. */
    int actionAt() {
        return actionAt;
    }

    /** Index of ON in a statement about an index. */
    int onAt() {
        return onAt;
    }

    /** Index of the token after the name: the items of an ALTER, the columns of a CREATE. */
    int bodyAt() {
        return bodyAt;
    }

    private void statement() {
        while (in.acceptSign('(')) {} // (SELECT ...)
        verb = in.word();
        in.skip(1);
        switch (verb) {
            case "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE" -> definition(verb);
            case "GRANT", "REVOKE" -> kind = StatementKind.ACCOUNT;
            case "SET" -> {
                boolean account = in.isWord("PASSWORD") || in.isWord("DEFAULT") || in.isWord("ROLE");
                kind = account ? StatementKind.ACCOUNT : StatementKind.ROWS;
            }
            default -> {
                if (TRANSACTION.contains(verb)) {
                    kind = StatementKind.TRANSACTION;
                } else if (ROWS.contains(verb)) {
                    kind = StatementKind.ROWS;
                } else if (SERVER.contains(verb)) {
                    kind = StatementKind.SERVER;
                }
            }
        }
    }

    private void definition(String word) {
        action = word;
        actionAt = in.at();
        boolean temporary = false;
        boolean bareTruncate = action.equals("TRUNCATE") && !in.isWord("TABLE");
        while (!bareTruncate && !in.isAtEnd() && !OBJECTS.contains(in.word())) {
            temporary |= in.isWord("TEMPORARY");
            replaces |= in.isWord("REPLACE");
            if (in.isWord("DEFINER")) {
                in.skipDefiner();
            } else {
                in.skip(1);
            }
        }
        String written = bareTruncate ? "TABLE" : in.word();
        object = SINGULAR.getOrDefault(written, written);
        in.skip(bareTruncate ? 0 : 1);
        verb = written.isEmpty() ? action : action + " " + written;
        switch (object) {
            case "TABLE" -> table(temporary);
            case "INDEX" -> index();
            case "SCHEMA" -> schema();
            case "USER", "ROLE" -> kind = StatementKind.ACCOUNT;
            case "RESOURCE", "INSTANCE", "TABLESPACE", "LOGFILE" -> kind = StatementKind.SERVER;
            default -> {
                if (PROGRAMS.contains(object)) {
                    program();
                }
            }
        }
    }

    private void table(boolean temporary) {
        kind = temporary ? StatementKind.SERVER : StatementKind.TABLE;
        conditional = in.acceptIfExists();
        switch (action) {
            case "DROP" -> in.readTables(true);
            case "RENAME" -> {
                do {
                    in.readTable(true);
                    skipWait();
                    in.acceptWord("TO");
                    in.readTable(true);
                } while (in.acceptSign(','));
            }
            case "TRUNCATE" -> in.readTable(true);
            default -> {
                in.readTable(true);
                skipWait();
                bodyAt = in.at();
                references();
            }
        }
    }

    /** Skips MariaDB's {@code WAIT n} and {@code NOWAIT}. */
    private void skipWait() {
        if (in.acceptWord("WAIT")) {
            in.skip(1);
        }
        in.acceptWord("NOWAIT");
    }

    /** Reads other tables that CREATE TABLE or ALTER TABLE names: LIKE, REFERENCES, RENAME TO, WITH TABLE, UNION. */
    private void references() {
        if (in.isSign('(') && in.wordAhead(1).equals("LIKE")) {
            in.skip(1);
        }
        if (in.acceptWord("LIKE")) {
            in.readTable(false);
            return;
        }
        int depth = 0;
        while (!in.isAtEnd()) {
            if (in.acceptSign('(')) {
                depth++;
            } else if (in.acceptSign(')')) {
                depth--;
            } else if (in.acceptWord("REFERENCES")) {
                in.readTable(false);
            } else if (depth == 0 && in.isWord("RENAME") && action.equals("ALTER")) {
                in.skip(1);
                renameTo();
            } else if (depth == 0 && in.isWord("WITH") && in.wordAhead(1).equals("TABLE")) {
                in.skip(2);
                in.readTable(true);
            } else if (depth == 0 && in.acceptWord("UNION")) {
                in.acceptSign('=');
                if (in.acceptSign('(')) {
                    depth++;
                    in.readTables(false);
                }
            } else {
                in.skip(1);
            }
        }
    }

    private void renameTo() {
        if (in.isWord("COLUMN") || in.isWord("INDEX") || in.isWord("KEY")) {
            return;
        }
        if (!in.acceptWord("TO") && !in.acceptWord("AS")) {
            in.acceptSign('=');
        }
        in.readTable(true);
    }

    private void index() {
        kind = StatementKind.TABLE;
        conditional = in.acceptIfExists();
        in.skipPast("ON");
        onAt = Math.min(tokens.size(), in.at()) - 1;
        in.readTable(true);
        bodyAt = in.at();
    }

    private void schema() {
        kind = StatementKind.SCHEMA;
        conditional = in.acceptIfExists();
        if (in.isName() && !(action.equals("ALTER") && SCHEMA_OPTIONS.contains(in.word()))) {
            in.readSchema();
        } else {
            in.implySchema();
        }
        bodyAt = in.at();
    }

    private void program() {
        kind = StatementKind.PROGRAM;
        conditional = in.acceptIfExists();
        in.readTable(true);
        if (object.equals("VIEW") && action.equals("DROP") && in.acceptSign(',')) {
            in.readTables(true);
        }
        if (object.equals("TRIGGER") && action.equals("CREATE")) {
            in.skipPast("ON");
            in.readTable(false);
        }
    }
}
