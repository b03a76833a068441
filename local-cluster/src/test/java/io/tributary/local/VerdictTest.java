package io.tributary.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.workload.BankFigures;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The verdict passes only when every committed transaction was written and every table is the same. */
class VerdictTest {
    private static final BankFigures FIGURES = new BankFigures(List.of(5L, 6L), List.of(3L, 3L), 3, 1, 0);
    private static final Map<String, TableChecksum> TABLES = Map.of("bank.a", sum(7), "bank.b", sum(8));

    private static TableChecksum sum(long value) {
        return new TableChecksum("id bigint, ", BigInteger.TEN, BigInteger.valueOf(value));
    }

    @Test
    void passesWhenAllTransactionsWereWrittenAndTheTablesAreTheSame() {
        Verdict verdict = Verdict.of(FIGURES, 14, TABLES, TABLES);
        assertTrue(verdict.passed());
        assertEquals(
                "PASS: transactions in 14; out 14; XA 3; bank.a 10 rows, checksum 7; bank.b 10 rows, checksum 8",
                verdict.line());
    }

    @Test
    void failsWhenTransactionsAreMissingOrTooMany() {
        assertFalse(Verdict.of(FIGURES, 13, TABLES, TABLES).passed());
        assertFalse(Verdict.of(FIGURES, 15, TABLES, TABLES).passed());
    }

    @Test
    void failsWhenNothingHappened() {
        BankFigures idle = new BankFigures(List.of(0L, 0L), List.of(0L, 0L), 0, 0, 0);
        assertFalse(Verdict.of(idle, 0, TABLES, TABLES).passed());
    }

    @Test
    void namesTablesThatDifferOrAreMissingOrTooMany() {
        Verdict verdict = Verdict.of(FIGURES, 14, TABLES, Map.of("bank.a", sum(9), "bank.c", sum(1)));
        assertFalse(verdict.passed());
        assertEquals(
                "FAIL: transactions in 14; out 14; XA 3; "
                        + "bank.a DIFFERS (shards: 10 rows, checksum 7; replica: 10 rows, checksum 9); "
                        + "bank.b DIFFERS (shards: 10 rows, checksum 8; replica: no such table); "
                        + "bank.c is only on the replica",
                verdict.line());
    }
}
