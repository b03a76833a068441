package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.read.ReadSession;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;

class StatementTest {
    @Test
    void aStatementNeedsThePartitionsOfAnotherThatNamesThem() {
        String drop = "ALTER TABLE t DROP PARTITION p1, P2";
        assertTrue(statement("ALTER TABLE t REORGANIZE PARTITION p2 INTO (PARTITION p3 VALUES LESS THAN (9))")
                .needsPartitionsOf(drop));
        assertTrue(statement("ALTER TABLE t REMOVE PARTITIONING").needsPartitionsOf(drop));
        assertTrue(statement("ALTER TABLE t PARTITION BY HASH (id)").needsPartitionsOf(drop));
        assertFalse(statement("ALTER TABLE t ADD PARTITION (PARTITION p9 VALUES LESS THAN (99))")
                .needsPartitionsOf(drop));
        assertFalse(statement("ALTER TABLE t COMMENT = 'p1'").needsPartitionsOf(drop));
    }

    @Test
    void aStatementThatDropsOneItemContainsItsName() {
        assertTrue(statement("DROP INDEX u ON t").isDrop());
        assertTrue(statement("ALTER TABLE t DROP CONSTRAINT u").isDrop());
        assertFalse(statement("ALTER TABLE t DROP KEY u, ADD COLUMN c INT").isDrop());
        assertFalse(statement("ALTER TABLE t RENAME INDEX u TO w").isDrop());
        assertTrue(statement("DROP INDEX u ON t").namesDropped("CREATE UNIQUE INDEX `U` ON t (a)"));
        assertFalse(statement("ALTER TABLE t DROP KEY u").namesDropped("ALTER TABLE t ADD UNIQUE w (a)"));
        assertTrue(statement("ALTER TABLE t DROP PRIMARY KEY").namesDropped("ALTER TABLE t ADD PRIMARY KEY (a)"));
    }

    @Test
    void theCollationOfUtf8mb4IsThatOfTheSessionOrTheServer() {
        byte[] general = {StatusVariables.Q_DEFAULT_COLLATION_FOR_UTF8MB4, 45, 0};
        ServerVersion mariadb = new ServerVersion(true, 101118);
        assertEquals(
                "utf8mb4_general_ci", session(general, ServerVersion.STANDARD).utf8mb4Collation());
        assertEquals(
                "utf8mb4_0900_ai_ci",
                session(new byte[0], ServerVersion.STANDARD).utf8mb4Collation());
        assertEquals("utf8mb4_general_ci", session(new byte[0], mariadb).utf8mb4Collation());
        assertTrue(session(new byte[0], mariadb).mariadb());
    }

    private static ReadSession session(byte[] variables, ServerVersion server) {
        byte[] text = "ALTER TABLE t FORCE".getBytes(StandardCharsets.UTF_8);
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(variables.length, 0, text.length));
        QueryEvent.write(
                event, 0, new EventOrigin(1_700_000_000L, 77), new LoggedStatement(0, 1, variables, new byte[0], text));
        return Statement.of(event, server).session();
    }

    private static Statement statement(String text) {
        return new Statement(text, ReadSession.standard("shop"), OffsetDateTime.MIN);
    }
}
