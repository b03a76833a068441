package io.tributary.schema.write;

import static io.tributary.schema.Statements.NO_OTHER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AlterationTest {
    private static final int ROUNDS = 3000;
    private static final long SEED = Long.getLong("schema.seed", 17);
    private static final ReadSession SESSION = ReadSession.standard("shop");

    private static TableDefinition table(String items) {
        return DefinitionReader.create("CREATE TABLE t (" + items + ")", SESSION, NO_OTHER)
                .orElseThrow();
    }

    private static List<String> between(String from, String to) {
        return Alteration.between(table(from), table(to));
    }

    @Test
    void equalDefinitionsNeedNoStatement() {
        assertEquals(List.of(), between("a INT, KEY k (a)", "a INT, KEY other (a)"));
    }

    @Test
    void oneDifferenceIsOneItem() {
        assertEquals(
                List.of("ALTER TABLE `shop`.`t` ADD COLUMN `b` int NULL DEFAULT NULL"),
                between("a INT", "a INT, b INT"));
        assertEquals(List.of("ALTER TABLE `shop`.`t` DROP COLUMN `b`"), between("a INT, b INT", "a INT"));
        assertEquals(
                List.of("ALTER TABLE `shop`.`t` MODIFY COLUMN `a` bigint NOT NULL DEFAULT '5' FIRST"),
                between("b INT, a INT", "a BIGINT NOT NULL DEFAULT 5, b INT"));
        assertEquals(
                List.of("ALTER TABLE `shop`.`t` ADD UNIQUE KEY `u` (`a`)"),
                between("a INT", "a INT, UNIQUE KEY u (a)"));
        assertEquals(
                List.of("ALTER TABLE `shop`.`t` DROP PRIMARY KEY, ADD PRIMARY KEY (`b`)"),
                between(
                        "a INT NOT NULL, b INT NOT NULL, PRIMARY KEY (a)",
                        "a INT NOT NULL, b INT NOT NULL, PRIMARY KEY (b)"));
    }

    @Test
    void oneRemovedAndOneNewColumnMayBeOneRenamedOrTwo() {
        assertEquals(
                List.of(
                        "ALTER TABLE `shop`.`t` CHANGE COLUMN `b` `c` bigint NULL DEFAULT NULL",
                        "ALTER TABLE `shop`.`t` DROP COLUMN `b`, ADD COLUMN `c` bigint NULL DEFAULT NULL"),
                between("a INT, b INT", "a INT, c BIGINT"));
    }

    /** Parsing the text gives the other definition. */
    @Test
    void anyDefinitionIsAlteredToAnyOther() {
        Random random = new Random(SEED);
        RandomDefinitions definitions = new RandomDefinitions(random);
        for (int round = 0; round < ROUNDS; round++) {
            TableDefinition from = numbered(definitions.next());
            TableDefinition other = numbered(definitions.next());
            TableDefinition next = round % 2 == 0 ? other : changed(from, other, random);
            TableDefinition to = next.named(from.name());
            for (String text : Alteration.between(from, to)) {
                TableDefinition made = DefinitionReader.alter(from, text, SESSION)
                        .orElseThrow(() ->
                                new AssertionError("seed " + SEED + ": " + text + "\nof " + CreateTable.text(from)));
                assertEquals(
                        List.of(),
                        Conformity.differences(made, to),
                        () -> "seed " + SEED + ": " + text + "\nof " + CreateTable.text(from));
                assertTrue(Conformity.sameColumns(made, to));
            }
        }
    }

    /** The first column, which keys contain, is a number: no key needs a prefix. */
    private static TableDefinition numbered(TableDefinition table) {
        List<Column> columns = new ArrayList<>(table.columns());
        Column first = columns.get(0);
        Column number = new Column(
                first.name(), SqlType.of("int"), true, Default.NULL, Optional.empty(), false, "", first.visible());
        columns.set(0, table.primaryKey().isPresent() ? number.notNull() : number);
        return new TableDefinition(table.name(), columns, table.keys(), table.constraints(), table.collation());
    }

    /** Some columns of two tables, in another order. */
    private static TableDefinition changed(TableDefinition from, TableDefinition other, Random random) {
        List<Column> columns =
                new ArrayList<>(from.columns().subList(1, from.columns().size()));
        Set<String> names = new HashSet<>();
        from.columns().forEach(column -> names.add(column.name()));
        other.columns().stream()
                .skip(1)
                .filter(column -> !names.contains(column.name()))
                .forEach(columns::add);
        columns.removeIf(column -> random.nextInt(4) == 0);
        Collections.shuffle(columns, random);
        columns.add(0, from.columns().get(0));
        return new TableDefinition(from.name(), columns, from.keys(), from.constraints(), from.collation());
    }
}
