package io.tributary.extractor.ddl;

import io.tributary.schema.sql.SqlTokens;
import java.util.Set;

/** The clauses of CREATE TABLE that the output cannot have. */
final class TableCreation {
    private static final Set<String> END_OPTIONS = Set.of("AS", "SELECT", "PARTITION", "WITH", "IGNORE", "REPLACE");

    private TableCreation() {}

    private static boolean isOne(DdlParser parsed) {
        return parsed.kind() == StatementKind.TABLE
                && parsed.action().equals("CREATE")
                && parsed.object().equals("TABLE");
    }

    /** Whether rows follow the statement in its transaction: it has the option START TRANSACTION (from MySQL 8.0.21). */
    static boolean startsTransaction(DdlParser parsed, SqlTokens tokens) {
        return isOne(parsed) && transactionAt(tokens, parsed.bodyAt()) < tokens.size();
    }

    private static int transactionAt(SqlTokens tokens, int from) {
        int at = tokens.isSign(from, '(') ? tokens.afterParentheses(from) : from;
        while (at < tokens.size() && !tokens.isOneOf(at, END_OPTIONS)) {
            if (tokens.areWords(at, "START", "TRANSACTION")) {
                return at;
            }
            at = tokens.isSign(at, '(') ? tokens.afterParentheses(at) : at + 1;
        }
        return tokens.size();
    }

    /** Removes START TRANSACTION. */
    static void leaveOutTransaction(SqlTokens tokens, int from, Edits edits) {
        int at = transactionAt(tokens, from);
        if (at < tokens.size()) {
            edits.leaveOut(at, at + 2);
        }
    }

    /**
     * Removes TABLESPACE of the table and of its partitions.
     *
     * @return whether there was one
     */
    static boolean leaveOutTablespaces(SqlTokens tokens, int from, Edits edits) {
        boolean found = false;
        int at = tokens.isSign(from, '(') && !tokens.isWord(from + 1, "LIKE") ? tokens.afterParentheses(from) : from;
        while (at < tokens.size() && !tokens.isWord(at, "SELECT")) {
            int length = TableOptions.tablespace(tokens, at);
            if (length > 0) {
                edits.leaveOut(at, at + length);
                found = true;
            }
            at += Math.max(1, length);
        }
        return found;
    }
}
