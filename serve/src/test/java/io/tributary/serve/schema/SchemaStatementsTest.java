package io.tributary.serve.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements for a shard, and how its answers are shown. */
class SchemaStatementsTest {
    private static final SchemaStatements.Asker ASKER = new SchemaStatements.Asker("shop", "8.0.31-tributary");
    private static final TableNameMapping SAME =
            TableNameMapping.same(new LogicalNames(UnaryOperator.identity(), true, Set.of("mysql", "tributary")));
    private static final TableNameMapping MAPPED = TableNameMapping.mapped(
            new LogicalNames(SchemaStatementsTest::withoutNumbers, false, Set.of("mysql")),
            List.of(
                    new TableName("mysql", "user"),
                    new TableName("shop_0", "items_0"),
                    new TableName("shop_0", "orders_0"),
                    new TableName("shop_0", "orders_1"),
                    new TableName("shop_1", "orders_2")),
            List.of("mysql", "shop_0", "shop_1"),
            Map.of("TABLES", List.of("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "ENGINE")));

    private static TableName withoutNumbers(TableName name) {
        return new TableName(
                name.schema().replaceAll("_\\d+$", ""), name.table().replaceAll("_\\d+$", ""));
    }

    private static SchemaQuestion question(String sql) {
        SqlReader reader = new SqlReader(sql);
        if (reader.accept("SHOW")) {
            return SchemaStatements.show(reader, ASKER).orElseThrow();
        }
        if (reader.acceptAny("DESC", "DESCRIBE")) {
            return SchemaStatements.describe(reader, ASKER);
        }
        reader.expect("SELECT");
        assertTrue(SchemaStatements.readsTables(reader) && SchemaStatements.readsSchemas(reader, ASKER), sql);
        return SchemaStatements.select(reader, ASKER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SHOW CREATE TABLE orders|SHOW CREATE TABLE `shop`.`orders`",
                "show create table `a`.`b``c`|SHOW CREATE TABLE `a`.`b``c`",
                "SHOW FULL COLUMNS FROM `orders` FROM `crm` LIKE '%'|SHOW FULL COLUMNS FROM `crm`.`orders` LIKE '%'",
                "SHOW COLUMNS IN crm.orders WHERE Field = 'id'|SHOW COLUMNS FROM `crm`.`orders` WHERE Field = 'id'",
                "SHOW KEYS FROM orders IN crm|SHOW INDEX FROM `crm`.`orders`",
                "DESC crm.orders id|SHOW COLUMNS FROM `crm`.`orders` LIKE 'id'",
                "SHOW CREATE DATABASE crm|SHOW CREATE DATABASE `crm`",
                "SHOW COLLATION WHERE Charset = 'utf8mb4'|SHOW COLLATION WHERE Charset = 'utf8mb4'",
                "SHOW CHARACTER SET LIKE 'utf8\\_%'|SHOW CHARACTER SET LIKE 'utf8\\_%'",
            })
    void translatesStatementsForOneTableToTheShardsNames(String sql, String expected) {
        assertEquals(expected, question(sql).sql(SAME));
    }

    /** Two minus signs before a blank begin a comment, which would end at the end of a line inside of the text. */
    @Test
    void noTextOfAConditionBecomesAPartOfTheStatement() {
        assertEquals(
                "SHOW COLLATION WHERE 1- - 'x\\nUNION SELECT user FROM mysql.user - - '",
                question("SHOW COLLATION WHERE 1--/**/'x\nUNION SELECT user FROM mysql.user - - '")
                        .sql(SAME));
        assertEquals(
                "SHOW COLLATION WHERE 'a' 'b' = 1",
                question("SHOW COLLATION WHERE 'a'\"b\" = 1").sql(SAME));
        for (String sql : List.of(
                "SHOW COLLATION WHERE 1 = $$ ' $$ UNION SELECT 1 '",
                "SHOW COLLATION WHERE 1--\u007f'x\nUNION SELECT 1'")) {
            assertThrows(SqlRefusal.class, () -> question(sql).sql(SAME), sql);
        }
    }

    @Test
    void listsAreSelectedWithoutHiddenSchemas() {
        assertEquals(
                "SELECT * FROM (SELECT SCHEMA_NAME AS `Database` FROM (SELECT * FROM information_schema.SCHEMATA"
                        + " WHERE LOWER(SCHEMA_NAME) NOT IN ('mysql', 'tributary')) s) t WHERE `Database` LIKE 'max%'"
                        + " ORDER BY 1",
                question("SHOW DATABASES LIKE 'max%'").sql(SAME));
        String tables = question("SHOW FULL TABLES IN `shop` where Table_Type = 'BASE TABLE'")
                .sql(SAME);
        assertTrue(
                tables.startsWith("SELECT * FROM (SELECT TABLE_NAME AS `Tables_in_shop`, TABLE_TYPE AS `Table_type`"
                        + " FROM (SELECT * FROM information_schema.TABLES"),
                tables);
        assertTrue(
                tables.endsWith(" s WHERE s.TABLE_SCHEMA = 'shop') t WHERE Table_Type = 'BASE TABLE' ORDER BY 1"),
                tables);
    }

    @Test
    void aSelectKeepsItsTextAndGetsViewsInsteadOfTables() {
        String sql = question(
                        "SELECT t.TABLE_NAME, c.CHARACTER_SET_NAME, DATABASE() FROM INFORMATION_SCHEMA.TABLES AS t,"
                                + " information_schema.COLLATION_CHARACTER_SET_APPLICABILITY c WHERE t.TABLE_COLLATION ="
                                + " c.COLLATION_NAME AND t.TABLE_SCHEMA<>'it''s' AND (SELECT COUNT(*) FROM"
                                + " information_schema.columns) >= 1")
                .sql(SAME);
        assertEquals(
                "SELECT t.TABLE_NAME, c.CHARACTER_SET_NAME, 'shop' FROM (SELECT * FROM information_schema.TABLES WHERE"
                        + " LOWER(TABLE_SCHEMA) NOT IN ('mysql', 'tributary')) AS t,"
                        + " information_schema.COLLATION_CHARACTER_SET_APPLICABILITY c WHERE t.TABLE_COLLATION ="
                        + " c.COLLATION_NAME AND t.TABLE_SCHEMA<>'it''s' AND (SELECT COUNT(*) FROM (SELECT * FROM"
                        + " information_schema.COLUMNS WHERE LOWER(TABLE_SCHEMA) NOT IN ('mysql', 'tributary')) AS"
                        + " `columns`) >= 1",
                sql.replaceAll(" +", " ").replace(" )", ")"));
    }

    @Test
    void theFirstPhysicalTableRepresentsALogicalOne() {
        SchemaQuestion question = question("SHOW CREATE TABLE shop.orders");
        assertEquals("SHOW CREATE TABLE `shop_0`.`orders_0`", question.sql(MAPPED));
        assertEquals("orders", question.shown(0, "orders_0", MAPPED));
        assertEquals(
                "CREATE TABLE `orders` (\n  `orders_0` int COMMENT 'of `orders_0`',\n  CONSTRAINT `c` FOREIGN KEY (`i`)"
                        + " REFERENCES `items` (`id`),\n  FOREIGN KEY (`j`) REFERENCES `shop`.`items` (`id`)\n) ENGINE=InnoDB",
                question.shown(
                        1,
                        "CREATE TABLE `orders_0` (\n  `orders_0` int COMMENT 'of `orders_0`',\n  CONSTRAINT `c` FOREIGN KEY"
                                + " (`i`) REFERENCES `items_0` (`id`),\n  FOREIGN KEY (`j`) REFERENCES"
                                + " `shop_1`.`items_3` (`id`)\n) ENGINE=InnoDB",
                        MAPPED));
        assertEquals(
                "SHOW CREATE DATABASE `shop_0`",
                question("SHOW CREATE DATABASE shop").sql(MAPPED));
    }

    @Test
    void mappedViewsHaveEachLogicalNameOnce() {
        String view = MAPPED.view("tables");
        assertTrue(
                view.startsWith("(SELECT c.`TABLE_CATALOG`, m.ls AS TABLE_SCHEMA, m.lt AS TABLE_NAME, c.`ENGINE` FROM"
                        + " information_schema.TABLES c JOIN (SELECT"),
                view);
        assertEquals(2, view.split(" AS lt", -1).length - 1, view);
        assertTrue(
                view.contains("_utf8mb4'orders_0'") && !view.contains("'orders_1'") && !view.contains("'user'"), view);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT s.* FROM information_schema.TABLES t JOIN (SELECT 1 AS `where`) d ON d.where = 1, shop.secret s",
                "SELECT s.* FROM information_schema.TABLES t JOIN (SELECT 1 AS `union`) d ON d. union = 1, shop.secret s",
                "SELECT TABLE_NAME FROM information_schema.TABLES UNION SELECT text x,1e0FROM shop.secret",
                "SELECT TABLE_NAME FROM information_schema.TABLES UNION SELECT text x,1e+0FROM shop.secret",
                "SELECT TABLE_NAME FROM information_schema.TABLES UNION SELECT text x,1.5e0FROM shop.secret",
                "SELECT TABLE_NAME FROM information_schema.TABLES UNION SELECT text x,1.e0FROM shop.secret",
                "SELECT TABLE_NAME FROM information_schema.TABLES UNION SELECT text x,.5e0FROM shop.secret",
                "SELECT TABLE_NAME FROM information_schema.TABLES UNION SELECT text x,\\NFROM shop.secret",
                "SELECT TABLE_NAME FROM information_schema.TABLES WHERE 1=1e0INTO OUTFILE '/tmp/x'",
                "SELECT shop.LEFT(1) FROM information_schema.TABLES",
            })
    void aTableThatOnlyMySqlWouldFindIsRefused(String sql) {
        SqlReader reader = new SqlReader(sql);
        reader.expect("SELECT");
        if (SchemaStatements.readsTables(reader) && SchemaStatements.readsSchemas(reader, ASKER)) {
            assertThrows(
                    SqlRefusal.class,
                    () -> SchemaStatements.select(reader, ASKER).sql(SAME));
        }
    }

    @Test
    void numbersInAConditionAreSentUnchanged() {
        String sql = question(
                        "SELECT 1.5, 0x41, 1e3 FROM information_schema.TABLES t WHERE t.TABLE_ROWS>1.5 AND t.TABLE_ROWS < 2")
                .sql(SAME);
        assertTrue(sql.startsWith("SELECT 1.5, 0x41, 1e3 FROM"), sql);
        assertTrue(sql.endsWith("WHERE t.TABLE_ROWS>1.5 AND t.TABLE_ROWS < 2"), sql);
    }

    @Test
    void aNameThatOldServersTreatAsAFileIsUnknown() {
        TableFilter reads = TableFilter.parse("!shop.secret");
        SchemaQuestion ofTable =
                question("SHOW CREATE TABLE shop.`#mysql50#secret`").by(reads);
        assertEquals(
                1146,
                assertThrows(SqlRefusal.class, () -> ofTable.sql(SAME)).packet().code());
        assertEquals(1049, refusal("SHOW CREATE DATABASE `#MySQL50#mysql`", SAME));
    }

    private static int refusal(String sql, TableNameMapping names) {
        return assertThrows(SqlRefusal.class, () -> question(sql).sql(names), sql)
                .packet()
                .code();
    }

    @Test
    void hiddenSchemasAreUnknown() {
        assertEquals(1049, refusal("SHOW CREATE TABLE mysql.user", SAME));
        assertEquals(1049, refusal("SHOW CREATE TABLE Tributary.heartbeat", SAME));
        assertEquals(1146, refusal("SHOW CREATE TABLE mysql.user", MAPPED));
        assertEquals(1146, refusal("SHOW CREATE TABLE shop_0.orders_0", MAPPED));
        assertEquals(1049, refusal("SHOW CREATE DATABASE mysql", MAPPED));
    }

    private static final TableFilter SOME = TableFilter.parse("shop.ord*, crm, !crm.secret_?, !hr");

    @Test
    void aReaderOfSomeTablesSeesThose() {
        String tables = question("SHOW TABLES").by(SOME).sql(SAME);
        assertTrue(
                tables.contains("NOT IN ('mysql', 'tributary') AND (" + like("TABLE_SCHEMA", "shop") + " AND "
                        + like("TABLE_NAME", "ord%") + " OR " + like("TABLE_SCHEMA", "crm") + ") AND NOT ("
                        + like("TABLE_SCHEMA", "crm") + " AND " + like("TABLE_NAME", "secret|__") + " OR "
                        + like("TABLE_SCHEMA", "hr") + "))"),
                tables);
        String schemas = question("SHOW DATABASES").by(SOME).sql(SAME);
        assertTrue(
                schemas.contains("NOT IN ('mysql', 'tributary') AND (" + like("SCHEMA_NAME", "shop") + " OR "
                        + like("SCHEMA_NAME", "crm") + ") AND NOT (" + like("SCHEMA_NAME", "hr") + "))"),
                schemas);
        assertEquals(
                question("SHOW TABLES").sql(SAME),
                question("SHOW TABLES").by(TableFilter.ALL).sql(SAME));
        assertEquals(
                "SHOW CREATE TABLE `shop`.`orders`",
                question("SHOW CREATE TABLE orders").by(SOME).sql(SAME));
    }

    private static String like(String column, String pattern) {
        return "LOWER(CONVERT(" + column + " USING utf8mb4)) COLLATE utf8mb4_bin LIKE _utf8mb4'" + pattern
                + "' COLLATE utf8mb4_bin ESCAPE '|'";
    }

    @Test
    void mappedNamesAreFilteredByTheirLogicalNames() {
        SchemaQuestion tables = question("SHOW TABLES").by(TableFilter.parse("shop.orders"));
        assertTrue(
                tables.sql(MAPPED).contains("'orders_0'") && !tables.sql(MAPPED).contains("'items_0'"));
        String nothing =
                question("SHOW DATABASES").by(TableFilter.parse("crm.orders_0")).sql(MAPPED);
        assertTrue(nothing.contains("SELECT '' AS ps, '' AS ls") && !nothing.contains("shop"), nothing);
        SchemaQuestion create = question("SHOW CREATE TABLE orders").by(TableFilter.parse("shop.orders"));
        assertEquals("SHOW CREATE TABLE `shop_0`.`orders_0`", create.sql(MAPPED));
        assertEquals("orders", create.shown(0, "orders_0", MAPPED));
    }

    private static String shownToSome(TableNameMapping names, String definition) {
        return question("SHOW CREATE TABLE orders").by(SOME).shown(1, definition, names);
    }

    @Test
    void foreignKeysToHiddenTablesAreRemoved() {
        String whole = """
                CREATE TABLE `orders` (
                  `a` int DEFAULT NULL COMMENT 'REFERENCES `hr`.`people`,',
                  KEY `i` (`a`),
                  CONSTRAINT `c` FOREIGN KEY (`a`, `b`) REFERENCES `items` (`id`, `b`) ON DELETE CASCADE,
                  CONSTRAINT `d` FOREIGN KEY (`a`) REFERENCES `ordered` (`id`),
                  CONSTRAINT `e` FOREIGN KEY (`a`) REFERENCES `hr`.`people` (`id`)
                ) ENGINE=InnoDB COMMENT=')'
                /*!50100 PARTITION BY KEY (a) */""";
        String shown = whole.replaceAll(",\n  CONSTRAINT `[ce]`[^\n]*?(?=,?\n)", "");
        assertEquals(whole, question("SHOW CREATE TABLE orders").shown(1, whole, SAME));
        assertEquals(shown, shownToSome(SAME, whole));
        assertTrue(shown.contains("`ordered`") && !shown.contains("items") && !shown.contains("CONSTRAINT `e`"), shown);
        String mapped =
                shownToSome(MAPPED, whole.replace("`orders`", "`orders_0`").replace("`ordered`", "`ordered_7`"));
        assertEquals(shown, mapped);
    }

    @Test
    void theTextOfAViewIsOnlyForReadersOfAllTables() {
        String view = "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`%` SQL SECURITY DEFINER VIEW `orders_0` AS select 1";
        String merged = "CREATE TABLE `orders` (\n  `a` int\n) ENGINE=MRG_MyISAM UNION=(`secret`)";
        String linked = "CREATE TABLE `orders` (\n  `a` int\n) ENGINE=FEDERATED CONNECTION='mysql://u:p@h/d/t'";
        for (String text : List.of(view, merged, linked)) {
            SqlRefusal refusal = assertThrows(SqlRefusal.class, () -> shownToSome(SAME, text), text);
            assertEquals(1142, refusal.packet().code());
        }
        assertEquals(
                view.replace("`orders_0`", "`orders`"),
                question("SHOW CREATE VIEW orders").shown(1, view, MAPPED));
        String select = "SELECT * FROM information_schema.VIEWS";
        assertTrue(question(select).by(SOME).sql(SAME).contains("'' AS VIEW_DEFINITION"));
        assertTrue(question(select).sql(SAME).contains(" * FROM information_schema.VIEWS"));
    }

    @Test
    void rowsOfKeysThatReferToHiddenTablesAreRemoved() {
        SchemaQuestion keys = question("SELECT * FROM information_schema.KEY_COLUMN_USAGE");
        String some = keys.by(TableFilter.parse("shop.ord*")).sql(SAME);
        assertTrue(
                some.contains(
                        " AND (REFERENCED_TABLE_NAME IS NULL OR (1 AND (" + like("REFERENCED_TABLE_SCHEMA", "shop")
                                + " AND " + like("REFERENCED_TABLE_NAME", "ord%") + ")))"),
                some);
        assertTrue(!keys.sql(SAME).contains("REFERENCED_TABLE_NAME"));
        String mapped = keys.by(TableFilter.parse("shop.orders")).sql(MAPPED);
        assertTrue(mapped.contains("WHERE c.REFERENCED_TABLE_NAME IS NULL OR r.lt IS NOT NULL"), mapped);
        assertTrue(!keys.sql(MAPPED).contains("r.lt IS NOT NULL"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SHOW CREATE TABLE shop.items|1146",
                "SHOW COLUMNS FROM crm.secret_1|1146",
                "DESC hr.people|1146",
                "SHOW CREATE DATABASE hr|1049",
                "SHOW INDEX FROM none.t|1146",
            })
    void hiddenTablesAreUnknown(String sql, int number) {
        for (TableNameMapping names : List.of(SAME, MAPPED)) {
            assertEquals(
                    number,
                    assertThrows(SqlRefusal.class, () -> question(sql).by(SOME).sql(names))
                            .packet()
                            .code());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SHOW TABLES WHERE SLEEP(9)|1235",
                "SHOW TABLES WHERE `SLEEP`(9)|1235",
                "SHOW TABLES WHERE @a := 1|1235",
                "SHOW TABLES WHERE Tables_in_shop = @@datadir|1235",
                "SHOW TABLES WHERE 1; DROP TABLE t|1064",
                "SELECT * FROM information_schema.tables WHERE LOAD_FILE('/etc/passwd')|1235",
                "SELECT GET_LOCK('a',1) FROM information_schema.tables|1235",
                "SELECT * FROM information_schema.USER_PRIVILEGES|1235",
                "SELECT * FROM information_schema.INNODB_TRX|1235",
            })
    void refusesStatementsThatWriteWaitOrLeaveTheServer(String sql, int number) {
        assertEquals(number, refusal(sql, SAME));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a FROM information_schema.tables, t",
                "a FROM (t)",
                "a FROM (information_schema.tables, t)",
                "a FROM information_schema.tables x LEFT JOIN (SELECT * FROM t) y ON 1",
                "EXTRACT(YEAR FROM t) FROM information_schema.tables",
                "a FROM information_schema.tables WHERE b IN (SELECT c FROM mysql.user)",
                "a FROM information_schema.tables UNION SELECT b FROM t",
                "a FROM tables",
            })
    void everyTableOfASelectIsFound(String rest) {
        SqlReader reader = new SqlReader("SELECT " + rest);
        reader.expect("SELECT");
        assertEquals(false, SchemaStatements.readsSchemas(reader, ASKER), rest);
    }
}
