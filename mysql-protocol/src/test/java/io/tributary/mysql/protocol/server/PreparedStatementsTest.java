package io.tributary.mysql.protocol.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.ByteBudget;
import io.tributary.mysql.protocol.SessionMemoryException;
import org.junit.jupiter.api.Test;

class PreparedStatementsTest {
    private static final int MOST_BYTES = 4 << 20;

    private final ByteBudget all = new ByteBudget(MOST_BYTES);
    private final SessionMemory memory = new SessionMemory(all, MOST_BYTES);
    private final PreparedStatements statements = new PreparedStatements(memory, 1 << 20);

    private int prepared(String sql) {
        int count = 0;
        try {
            while (count <= PreparedStatements.MOST && statements.prepare(sql).isPresent()) {
                count++;
            }
        } catch (SessionMemoryException full) {
            assertEquals(3170, full.error().code());
        }
        return count;
    }

    @Test
    void theNumberOfShortStatementsOfASessionIsLimited() {
        assertEquals(PreparedStatements.MOST, prepared("SELECT ?"));
    }

    @Test
    void longStatementsAreLimitedByTheirBytes() {
        assertEquals(3, prepared("SELECT '" + "x".repeat(MOST_BYTES / 7) + "'"));
        assertTrue(statements.prepare("SELECT 1").isPresent(), "a statement that fits is accepted");
        statements.close(1);
        assertEquals(1, prepared("SELECT '" + "y".repeat(MOST_BYTES / 7) + "'"));
        statements.closeAll();
        assertEquals(3, prepared("SELECT '" + "z".repeat(MOST_BYTES / 7) + "'"));
        memory.close();
        assertEquals(0, all.taken());
    }

    @Test
    void placeholdersCostMemoryToo() {
        String text = "SELECT ?" + ",?".repeat(9_999);
        assertEquals(3, prepared(text));
        statements.closeAll();
        assertEquals(0, prepared("SELECT ?" + ",?".repeat(1_000_000)), "more than the answer can contain");
    }
}
