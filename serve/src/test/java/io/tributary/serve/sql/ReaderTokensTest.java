package io.tributary.serve.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tokens of a reader's statement. */
class ReaderTokensTest {
    private static String shown(String sql) {
        return ReaderTokens.of(sql).stream()
                .map(token -> token.kind() + " " + token.text())
                .collect(Collectors.joining(", "));
    }

    @Test
    void theLastTokenIsTheEnd() {
        assertEquals("END ", shown(""));
        assertEquals("WORD SELECT, NUMBER 1, END ", shown("SELECT 1 ;;"));
    }

    @Test
    void numbersAreSeparatedFromWords() {
        assertEquals(
                "NUMBER 12, SYMBOL ,, NUMBER 1.50, SYMBOL ,, WORD 1e5, SYMBOL ,, WORD a1, END ",
                shown("12,1.50,1e5,a1"));
        assertEquals("NUMBER 1, SYMBOL ., WORD FROM, END ", shown("1.FROM"));
        assertEquals("WORD t1, SYMBOL ., NUMBER 5, END ", shown("t1.5"));
        assertEquals("NUMBER 1, SYMBOL ., NUMBER 5, END ", shown("1 . 5"));
    }

    @Test
    void variablesAreOneToken() {
        assertEquals("USER_VARIABLE @a.b$1, SYMBOL =, NUMBER 1, END ", shown("@a.b$1=1"));
        assertEquals("USER_VARIABLE @a b, USER_VARIABLE @c'd, END ", shown("@`a b` @'c''d'"));
        assertEquals(
                "SYSTEM_VARIABLE @@global.x, SYSTEM_VARIABLE @@session.y, END ", shown("@@global.x @@`session`.`y`"));
        assertEquals("USER_VARIABLE @, WORD a, END ", shown("@ a"));
    }

    @Test
    void commentsAreSkippedAndVersionCommentsAreRead() {
        assertEquals(
                "WORD SELECT, NUMBER 1, SYMBOL -, SYMBOL -, NUMBER 2, END ", shown("/* a */ SELECT # b\n 1--2 -- c"));
        assertEquals("WORD SELECT, NUMBER 1, END ", shown("SELECT /*!80000 1 */"));
        assertEquals("WORD SELECT, SYMBOL *, SYMBOL /, END ", shown("SELECT */"));
    }

    @Test
    void textsAreUnescapedExceptEscapesOfPatterns() {
        assertEquals("STRING a'b\n\b\\%, QUOTED_NAME x`y, END ", shown("'a''b\\n\\b\\%' `x``y`"));
    }

    @Test
    void aTextThatDoesNotEndIsRefused() {
        assertEquals(
                1064,
                assertThrows(SqlRefusal.class, () -> ReaderTokens.of("SELECT 'a\\'"))
                        .packet()
                        .code());
        assertEquals(
                1064,
                assertThrows(SqlRefusal.class, () -> ReaderTokens.of("SELECT `a"))
                        .packet()
                        .code());
    }

    @Test
    void offsetsReferToTheText() {
        StatementToken variable = ReaderTokens.of("SET @@x.y = 1").get(1);
        assertEquals(4, variable.start());
        assertEquals(9, variable.end());
    }
}
