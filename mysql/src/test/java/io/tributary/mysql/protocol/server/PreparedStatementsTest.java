package io.tributary.mysql.protocol.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PreparedStatementsTest {
    private final PreparedStatements statements = new PreparedStatements();

    private int prepared(String sql) {
        int count = 0;
        while (count <= PreparedStatements.MOST && statements.prepare(sql).isPresent()) {
            count++;
        }
        return count;
    }

    @Test
    void aSessionHasSoManyShortOnes() {
        assertEquals(PreparedStatements.MOST, prepared("SELECT ?"));
    }

    @Test
    void longOnesAreBoundedByTheirBytes() {
        assertEquals(3, prepared("SELECT '" + "x".repeat(PreparedStatements.MOST_BYTES / 7) + "'"));
        assertTrue(statements.prepare("SELECT 1").isPresent(), "what fits still does");
        statements.close(1);
        assertEquals(1, prepared("SELECT '" + "y".repeat(PreparedStatements.MOST_BYTES / 7) + "'"));
        statements.closeAll();
        assertEquals(3, prepared("SELECT '" + "z".repeat(PreparedStatements.MOST_BYTES / 7) + "'"));
    }

    @Test
    void placesCostAsWell() {
        String places = "SELECT ?" + ",?".repeat(9_999);
        assertEquals(3, prepared(places));
        statements.closeAll();
        assertEquals(0, prepared("SELECT ?" + ",?".repeat(1_000_000)), "more than the answer can tell");
    }
}
