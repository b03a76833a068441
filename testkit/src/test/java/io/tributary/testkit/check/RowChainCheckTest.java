package io.tributary.testkit.check;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows whose columns change. */
class RowChainCheckTest {
    private final RowChainCheck check = new RowChainCheck();
    private long at;

    private static Row row(long... values) {
        Row row = new Row(values.length);
        for (int i = 0; i < values.length; i++) {
            row.set(i, values[i], new byte[] {(byte) values[i]});
        }
        return row;
    }

    private void passes(Row before, Row after) {
        pass(TransactionKind.LOCAL, List.of(new RowChange("s", "t", List.of(0), before, after)));
    }

    private void pass(TransactionKind kind, List<RowChange> changes) {
        check.accept(new BinlogTransaction(null, "binlog.000001", at, at + 1, 0, 0, kind, "", List.of(), changes, 0));
        at++;
    }

    @Test
    void columnsThatAStatementAddsAreNoViolation() {
        passes(null, row(1, 5));
        pass(TransactionKind.DDL, List.of());
        passes(row(1, 5, 9), row(1, 6, 9));
        passes(row(1, 6, 9), null);
        assertTrue(check.report().isClean());
    }

    @Test
    void columnsThatNoStatementAddsAreAViolation() {
        passes(null, row(1, 5));
        passes(row(1, 5, 9), row(1, 6, 9));
        assertFalse(check.report().isClean());
    }

    @Test
    void aStatementHidesNoOtherViolation() {
        passes(null, row(1, 5));
        pass(TransactionKind.DDL, List.of());
        passes(row(1, 4), row(1, 6));
        assertFalse(check.report().isClean());
    }
}
