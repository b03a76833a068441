package io.tributary.schema.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlMode;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckNamesTest {
    private static final SqlMode MODE = ReadSession.standard("shop").mode();

    @Test
    void checksWithoutANameGetOne() {
        String alter =
                "alter table t ADD CHECK (a > 0), add constraint check (b > ')'), ADD COLUMN c INT CHECK (c > 0)";
        assertTrue(CheckNames.areMissing(alter, MODE));
        assertEquals(
                "alter table t ADD CONSTRAINT `t_chk_1` CHECK (a > 0), add constraint `t_chk_2` check (b > ')'),"
                        + " ADD COLUMN c INT CHECK (c > 0)",
                CheckNames.with(alter, MODE, List.of("t_chk_1", "t_chk_2")));
        assertEquals(alter, CheckNames.with(alter, MODE, List.of("t_chk_1")));
    }

    @Test
    void otherTextsAreNotChanged() {
        for (String alter : List.of(
                "ALTER TABLE t ADD CONSTRAINT k CHECK (a > 0)",
                "ALTER TABLE t ADD FOREIGN KEY (f) REFERENCES t (id)",
                "ALTER TABLE t ADD UNIQUE KEY `check` (a)")) {
            assertFalse(CheckNames.areMissing(alter, MODE));
            assertEquals(alter, CheckNames.with(alter, MODE, List.of()));
        }
    }
}
