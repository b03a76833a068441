package io.tributary.extractor.ddl;

import java.util.List;
import java.util.Set;

/** Reads the first words of a statement, and the names that they say something about. */
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
    private static final Set<String> SCHEMA_OPTIONS =
            Set.of("DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "UPGRADE");

    private final TokenCursor in;
    private StatementKind kind = StatementKind.OTHER;
    private String verb = "";
    private boolean changesColumns;
    private boolean createsFromSelect;

    private DdlParser(TokenCursor in) {
        this.in = in;
    }

    static DdlParser parse(List<SqlToken> tokens, String defaultSchema) {
        DdlParser parser = new DdlParser(new TokenCursor(tokens, defaultSchema));
        parser.statement();
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

    boolean changesColumns() {
        return changesColumns;
    }

    boolean createsFromSelect() {
        return createsFromSelect;
    }

    private void statement() {
        while (in.takeSign('(')) {} // (SELECT ...)
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
                } else {
                    changesColumns = true;
                }
            }
        }
    }

    private void definition(String action) {
        boolean temporary = false;
        boolean unique = false;
        boolean bareTruncate = action.equals("TRUNCATE") && !in.isWord("TABLE");
        while (!bareTruncate && !in.isAtEnd() && !OBJECTS.contains(in.word())) {
            temporary |= in.isWord("TEMPORARY");
            unique |= in.isWord("UNIQUE");
            if (in.isWord("DEFINER")) {
                in.skipDefiner();
            } else {
                in.skip(1);
            }
        }
        String object = bareTruncate ? "TABLE" : in.word();
        in.skip(bareTruncate ? 0 : 1);
        verb = object.isEmpty() ? action : action + " " + object;
        switch (object) {
            case "TABLE", "TABLES" -> table(action, temporary);
            case "INDEX" -> index(action, unique);
            case "DATABASE", "SCHEMA" -> schema(action);
            case "USER", "ROLE" -> kind = StatementKind.ACCOUNT;
            case "RESOURCE", "INSTANCE", "TABLESPACE", "LOGFILE" -> kind = StatementKind.SERVER;
            default -> {
                if (PROGRAMS.contains(object)) {
                    program(action, object);
                } else {
                    changesColumns = true;
                }
            }
        }
    }

    private void table(String action, boolean temporary) {
        kind = temporary ? StatementKind.SERVER : StatementKind.TABLE;
        changesColumns = !action.equals("TRUNCATE");
        in.skipIfExists();
        switch (action) {
            case "DROP" -> in.takeTables(true);
            case "RENAME" -> {
                do {
                    in.takeTable(true);
                    in.takeWord("TO");
                    in.takeTable(true);
                } while (in.takeSign(','));
            }
            case "TRUNCATE" -> in.takeTable(true);
            default -> {
                in.takeTable(true);
                createsFromSelect = action.equals("CREATE") && in.endsWith("START", "TRANSACTION");
                references();
            }
        }
    }

    /** Other tables that CREATE TABLE or ALTER TABLE names: LIKE, REFERENCES, RENAME TO, WITH TABLE, UNION. */
    private void references() {
        if (in.isSign('(') && in.wordAhead(1).equals("LIKE")) {
            in.skip(1);
        }
        if (in.takeWord("LIKE")) {
            in.takeTable(false);
            return;
        }
        int depth = 0;
        while (!in.isAtEnd()) {
            if (in.takeSign('(')) {
                depth++;
            } else if (in.takeSign(')')) {
                depth--;
            } else if (in.takeWord("REFERENCES")) {
                in.takeTable(false);
            } else if (depth == 0 && in.takeWord("RENAME")) {
                renameTo();
            } else if (depth == 0 && in.isWord("WITH") && in.wordAhead(1).equals("TABLE")) {
                in.skip(2);
                in.takeTable(true);
            } else if (depth == 0 && in.takeWord("UNION")) {
                in.takeSign('=');
                if (in.takeSign('(')) {
                    depth++;
                    in.takeTables(false);
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
        if (!in.takeWord("TO") && !in.takeWord("AS")) {
            in.takeSign('=');
        }
        in.takeTable(true);
    }

    private void index(String action, boolean unique) {
        kind = StatementKind.TABLE;
        // a unique key may serve as the primary key, which table maps with full metadata tell
        changesColumns = unique || !action.equals("CREATE");
        in.skipBehind("ON");
        in.takeTable(true);
    }

    private void schema(String action) {
        kind = StatementKind.SCHEMA;
        changesColumns = action.equals("DROP");
        in.skipIfExists();
        if (in.isName() && !(action.equals("ALTER") && SCHEMA_OPTIONS.contains(in.word()))) {
            in.takeSchema();
        } else {
            in.implySchema();
        }
    }

    private void program(String action, String object) {
        kind = StatementKind.PROGRAM;
        in.skipIfExists();
        in.takeTable(true);
        if (object.equals("VIEW") && action.equals("DROP") && in.takeSign(',')) {
            in.takeTables(true);
        }
        if (object.equals("TRIGGER") && action.equals("CREATE")) {
            in.skipBehind("ON");
            in.takeTable(false);
        }
    }
}
