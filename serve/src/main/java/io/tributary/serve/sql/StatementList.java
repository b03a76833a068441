package io.tributary.serve.sql;

import java.util.ArrayList;
import java.util.List;

/** The statements of one command, which semicolons separate. */
public final class StatementList {
    private StatementList() {}

    /**
     * Splits a command at the semicolons outside of quotes and comments.
     *
     * @return the statements, at least one; a semicolon at the end begins no further statement
     * @throws SqlRefusal 1064 when a quoted text does not end
     */
    public static List<String> of(String sql) {
        List<String> statements = new ArrayList<>();
        int start = 0;
        for (StatementToken token : ReaderTokens.of(sql)) {
            if (token.is(";")) {
                statements.add(sql.substring(start, token.start()));
                start = token.end();
            }
        }
        String last = sql.substring(start);
        if (statements.isEmpty() || !ReaderTokens.of(last).get(0).kind().equals(StatementToken.Kind.END)) {
            statements.add(last);
        }
        return statements;
    }
}
