package io.tributary.schema.read;

import static io.tributary.schema.Statements.NO_OTHER;
import static io.tributary.schema.Statements.SESSION;
import static io.tributary.schema.Statements.tableOf;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.schema.definition.TableDefinition;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Statements that are cut, mixed and repeated at random: parsing any of them gives a definition or nothing. */
class NeverFailsTest {
    private static final int STATEMENTS = 60_000;
    private static final long SEED = Long.getLong("schema.seed", 5);
    private static final String BEFORE =
            "CREATE TABLE `t` (a INT UNSIGNED NOT NULL AUTO_INCREMENT, b VARCHAR ( 10 ) CHARACTER SET latin1"
                    + " COLLATE latin1_bin DEFAULT 'x' , c ENUM ( 'a' , 'b' ) DEFAULT 'a' , d DECIMAL ( 5 , 2 ) DEFAULT -1.5 , e DATETIME ( 3 ) DEFAULT"
                    + " '2020-01-01 10:00:00' ON UPDATE NOW ( 3 ) , f TIME DEFAULT '1 2:03' , g DATE DEFAULT 20200101 , h BIT ( 3 ) DEFAULT b'101' ,"
                    + " i YEAR DEFAULT 99 , j DOUBLE DEFAULT 1e-3 , k INT AS ( a + 1 MOD 3 ) STORED , l BINARY ( 3 ) DEFAULT 0x41 , m SET ( 'x' , 'y' )"
                    + " DEFAULT 'x,y' , n TEXT ( 10 ) , PRIMARY KEY ( a ) , UNIQUE KEY u ( b ( 3 ) DESC ) , KEY ( ( a + 1 ) ) , CONSTRAINT q CHECK"
                    + " ( a BETWEEN 1 AND 9 OR b LIKE 'x%' AND NOT c IN ( 1 , 2 ) ) NOT ENFORCED , FOREIGN KEY ( a ) REFERENCES p ( id ) ON DELETE"
                    + " CASCADE ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COMMENT = 'x'";
    private static final List<String> STATEMENT = List.of(
            BEFORE,
            "ALTER TABLE t ADD COLUMN z INT AFTER b , DROP COLUMN c , MODIFY b TEXT FIRST , CHANGE d dd DECIMAL ( 6 ) , RENAME COLUMN e TO ee"
                    + " , ADD INDEX x ( a , b ( 4 ) ) , DROP PRIMARY KEY , ALTER COLUMN f SET DEFAULT '10:00' , CONVERT TO CHARACTER SET utf8"
                    + " COLLATE utf8_bin , RENAME TO tt , ALTER INDEX u INVISIBLE , DROP CHECK q , ORDER BY a DESC , ENGINE = InnoDB",
            "CREATE UNIQUE INDEX i USING BTREE ON t ( a DESC , b ( 2 ) ) COMMENT 'x' ALGORITHM = INPLACE",
            "DROP INDEX u ON t LOCK = NONE");

    private final Random random = new Random(SEED);

    @Test
    void noStatementThrows() {
        TableDefinition table = tableOf(BEFORE);
        ReadSession mariadb = SESSION.ofServer(true, 101100).withExplicitDefaultsForTimestamp(false);
        for (int i = 0; i < STATEMENTS; i++) {
            String statement = mutated(STATEMENT.get(random.nextInt(STATEMENT.size())));
            ReadSession session = random.nextBoolean() ? SESSION : mariadb;
            assertDoesNotThrow(
                    () -> {
                        DefinitionReader.create(statement, session, NO_OTHER);
                        DefinitionReader.alter(table, statement, session);
                    },
                    () -> "seed " + SEED + ": " + statement);
        }
    }

    @Test
    void aDeepExpressionIsKeptAsWritten() {
        String deep = "(".repeat(20_000) + "1" + ")".repeat(20_000);
        assertTrue(DefinitionReader.create("CREATE TABLE t (a INT DEFAULT " + deep + ")", SESSION, NO_OTHER)
                .isPresent());
        String signs = "(" + "- ".repeat(20_000) + "1)";
        assertTrue(DefinitionReader.create("CREATE TABLE t (a INT DEFAULT " + signs + ")", SESSION, NO_OTHER)
                .isPresent());
    }

    private String mutated(String statement) {
        List<String> words = new java.util.ArrayList<>(List.of(statement.split(" ")));
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(words.size());
            String other = words.get(random.nextInt(words.size()));
            switch (random.nextInt(5)) {
                case 0 -> words.remove(at);
                case 1 -> words.add(at, other);
                case 2 -> words.set(at, other);
                case 3 ->
                    words.set(
                            at,
                            List.of("'", "0x", "b'2'", "1e", "-", ".", "_latin1", "''", "99999999999", "`", "(", ")")
                                    .get(random.nextInt(12)));
                default -> words = new java.util.ArrayList<>(words.subList(0, at + 1));
            }
            if (words.isEmpty()) {
                return "";
            }
        }
        return String.join(" ", words);
    }
}
