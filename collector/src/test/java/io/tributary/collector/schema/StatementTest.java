package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.schema.read.ReadSession;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;

class StatementTest {
    @Test
    void aStatementNeedsPartitionsOfOneThatNamesThemToo() {
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
    void aStatementThatDropsOneThingNamesIt() {
        assertTrue(statement("DROP INDEX u ON t").isDrop());
        assertTrue(statement("ALTER TABLE t DROP CONSTRAINT u").isDrop());
        assertFalse(statement("ALTER TABLE t DROP KEY u, ADD COLUMN c INT").isDrop());
        assertFalse(statement("ALTER TABLE t RENAME INDEX u TO w").isDrop());
        assertTrue(statement("DROP INDEX u ON t").namesDropped("CREATE UNIQUE INDEX `U` ON t (a)"));
        assertFalse(statement("ALTER TABLE t DROP KEY u").namesDropped("ALTER TABLE t ADD UNIQUE w (a)"));
        assertTrue(statement("ALTER TABLE t DROP PRIMARY KEY").namesDropped("ALTER TABLE t ADD PRIMARY KEY (a)"));
    }

    private static Statement statement(String text) {
        return new Statement(text, ReadSession.standard("shop"), OffsetDateTime.MIN);
    }
}
