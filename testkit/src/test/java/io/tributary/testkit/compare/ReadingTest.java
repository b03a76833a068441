package io.tributary.testkit.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadingTest {
    private static final Reading BOTH =
            reading("R\tt\t1\ta", "R\tt\t2\tb", "T", "R\tt\t1\tc", "T", "D\tCREATE TABLE t");

    private static Reading reading(String... lines) {
        return Reading.parse(List.of(lines));
    }

    @Test
    void transactionsWithoutACommonRowMayHaveAnyOrder() {
        Reading one = reading("R\tt\t1\ta", "T", "R\tt\t2\tb", "T");
        Reading other = reading("R\tt\t2\tb", "T", "R\tt\t1\ta", "T");
        assertEquals(Optional.empty(), one.differenceTo(other));
    }

    @Test
    void changesOfTheSameRowMustHaveTheSameOrder() {
        Reading one = reading("R\tt\t1\ta", "T", "R\tt\t1\tb", "T");
        Reading other = reading("R\tt\t1\tb", "T", "R\tt\t1\ta", "T");
        String difference = one.differenceTo(other).orElseThrow();
        assertEquals("the changes of t 1 are in another order", difference);
    }

    @Test
    void aMissingOrDuplicateRowIsNamed() {
        Reading lacks = reading("R\tt\t1\ta", "T", "R\tt\t1\tc", "T", "D\tCREATE TABLE t");
        assertTrue(lacks.differenceTo(BOTH).orElseThrow().contains("t 2 b"), lacks.toString());
        Reading twice =
                reading("R\tt\t1\ta", "R\tt\t2\tb", "T", "R\tt\t1\tc", "T", "R\tt\t1\tc", "T", "D\tCREATE TABLE t");
        assertTrue(twice.differenceTo(BOTH).orElseThrow().contains("3 transactions against 2"), twice.toString());
    }

    @Test
    void aTornTransactionIsADifference() {
        Reading torn = reading("R\tt\t1\ta", "T", "R\tt\t2\tb", "T", "R\tt\t1\tc", "T", "D\tCREATE TABLE t");
        assertTrue(torn.differenceTo(BOTH).isPresent());
    }

    @Test
    void aMissingStatementIsNamed() {
        Reading lacks = reading("R\tt\t1\ta", "R\tt\t2\tb", "T", "R\tt\t1\tc", "T");
        assertTrue(lacks.differenceTo(BOTH).orElseThrow().contains("CREATE TABLE t"), lacks.toString());
    }

    @Test
    void knowsTheTablesOfItsRows() {
        Reading reading = reading("R\tshop.done\t1", "T");
        assertTrue(reading.has("shop.done"));
        assertFalse(reading.has("shop.do"));
    }

    @Test
    void longRowsAreDistinguished() {
        String body = "x".repeat(20_000);
        Reading one = reading("R\tt\t1\t" + body + "a", "T");
        Reading other = reading("R\tt\t1\t" + body + "b", "T");
        assertTrue(one.differenceTo(other).isPresent());
        assertEquals(Optional.empty(), one.differenceTo(reading("R\tt\t1\t" + body + "a", "T")));
    }
}
