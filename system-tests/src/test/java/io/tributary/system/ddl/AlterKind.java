package io.tributary.system.ddl;

import java.util.List;
import java.util.Locale;

/**
 * A kind of ALTER TABLE, and the table that it is for.
 *
 * @param create the text after the name of the table in CREATE TABLE
 * @param before statements on each shard before the load, with %1$s for the schema and %2$d for the shard's number from 1
 * @param items the items of ALTER TABLE, with %1$s for the schema
 * @param statements number of ALTER TABLE statements in the output: two if some of the items are written with the last member
 * @param rows how rows of shards that have not run it are treated meanwhile
 */
record AlterKind(String name, String create, List<String> before, String items, int statements, Rows rows) {
    /** The treatment of rows of shards that have not run it. */
    enum Rows {
        /** They are written in the new columns, or unchanged. */
        WRITTEN,
        /** Rows of shards that have run it wait for the other shards. */
        WAIT,
        /** There must be no rows: rows of the old columns do not contain the value that the shard will compute. */
        NONE
    }

    private static final String USUAL =
            "a INT NOT NULL DEFAULT 5, b VARCHAR(20), c VARCHAR(200), d DECIMAL(8,2), e ENUM('x','y'),"
                    + " f DATETIME, g BIGINT, h CHAR(8) CHARACTER SET latin1, i INT, p INT";
    private static final String COLUMNS = "(id INT PRIMARY KEY, " + USUAL + ")";
    private static final String PARTITIONED = COLUMNS
            + " PARTITION BY RANGE (id) (PARTITION low VALUES LESS THAN (1000000), PARTITION high VALUES LESS THAN (2000000))";

    /** A kind with the usual columns, which is written with the first shard. */
    AlterKind(String name, String items) {
        this(name, COLUMNS, List.of(), items, 1, Rows.WRITTEN);
    }

    private AlterKind after(String... setup) {
        return new AlterKind(name, create, List.of(setup), items, statements, rows);
    }

    private AlterKind of(String table) {
        return new AlterKind(name, table, before, items, statements, rows);
    }

    private AlterKind writtenInTwo() {
        return new AlterKind(name, create, before, items, 2, rows);
    }

    private AlterKind waiting() {
        return new AlterKind(name, create, before, items, statements, Rows.WAIT);
    }

    private AlterKind withoutRows() {
        return new AlterKind(name, create, before, items, statements, Rows.NONE);
    }

    static List<AlterKind> all() {
        String alter = "ALTER TABLE %1$s.t ";
        String parents = "CREATE TABLE %1$s.parent (id INT PRIMARY KEY)";
        String parent = "INSERT INTO %1$s.parent VALUES (%2$d)";
        String foreignKey = "ADD CONSTRAINT of_parent FOREIGN KEY (p) REFERENCES %1$s.parent (id)";
        String high = "INSERT INTO %1$s.t (id, p) VALUES (1000000 + %2$d, %2$d)";
        return List.of(
                new AlterKind("add_last", "ADD COLUMN z INT"),
                new AlterKind("add_first", "ADD COLUMN z VARCHAR(10) DEFAULT 'it''s' FIRST"),
                new AlterKind("add_after", "ADD COLUMN z DECIMAL(6,3) NOT NULL DEFAULT 1.5 AFTER b"),
                new AlterKind(
                        "add_instant", "ADD COLUMN z DATETIME(3) DEFAULT '2024-02-29 12:00:00.125', ALGORITHM=INSTANT"),
                new AlterKind(
                        "add_not_null", "ADD COLUMN z INT NOT NULL DEFAULT 7, ADD COLUMN y ENUM('p','q') NOT NULL"),
                new AlterKind("drop_last", "DROP COLUMN i")
                        .of("(id INT PRIMARY KEY, p INT, " + USUAL.replace(", p INT", "") + ")"),
                new AlterKind("drop_middle", "DROP COLUMN c"),
                new AlterKind("widen", "MODIFY COLUMN a BIGINT NOT NULL DEFAULT 5"),
                new AlterKind("longer", "MODIFY COLUMN c VARCHAR(300)"),
                new AlterKind("charset_modify", "MODIFY COLUMN h CHAR(8) CHARACTER SET utf8mb4"),
                new AlterKind("mb3_modify", "MODIFY COLUMN b VARCHAR(20) CHARACTER SET utf8mb4")
                        .after(alter + "MODIFY COLUMN b VARCHAR(20) CHARACTER SET utf8mb3"),
                new AlterKind("mb3_convert", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
                        .after(alter + "CONVERT TO CHARACTER SET utf8mb3"),
                new AlterKind("charset_convert", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"),
                new AlterKind("narrow", "MODIFY COLUMN g INT"),
                new AlterKind("rename", "RENAME COLUMN b TO bb"),
                new AlterKind("change", "CHANGE COLUMN b bb VARCHAR(40) AFTER d"),
                new AlterKind("swap", "RENAME COLUMN a TO i, RENAME COLUMN i TO a"),
                new AlterKind("reorder", "MODIFY COLUMN d DECIMAL(8,2) FIRST"),
                new AlterKind("enum_append", "MODIFY COLUMN e ENUM('x','y','z')"),
                new AlterKind("enum_front", "MODIFY COLUMN e ENUM('w','x','y')"),
                new AlterKind("more_digits", "MODIFY COLUMN d DECIMAL(12,4), MODIFY COLUMN f DATETIME(6)"),
                new AlterKind("stored", "ADD COLUMN z INT AS (a + 1) STORED"),
                new AlterKind("virtual", "ADD COLUMN z INT AS (a + 1) VIRTUAL AFTER a"),
                new AlterKind(
                                "generated_key",
                                "ADD COLUMN y INT DEFAULT 3, ADD COLUMN z INT GENERATED ALWAYS AS (a + y) STORED, ADD INDEX k (z)")
                        .writtenInTwo(),
                new AlterKind("generated_drop", "DROP COLUMN z").after(alter + "ADD COLUMN z INT AS (a + 1) STORED"),
                new AlterKind("stored_change", "MODIFY COLUMN z INT AS (a + 2) STORED")
                        .withoutRows()
                        .after(alter + "ADD COLUMN z INT AS (a + 1) STORED"),
                new AlterKind("index_add", "ADD INDEX k (b), ADD COLUMN z INT"),
                new AlterKind("index_drop", "DROP INDEX k").after(alter + "ADD INDEX k (b)"),
                new AlterKind("unique_add", "ADD UNIQUE KEY u (g)"),
                new AlterKind("unique_with", "ADD COLUMN z INT, ADD UNIQUE KEY u (g)").writtenInTwo(),
                new AlterKind("unique_drop", "DROP INDEX u").after(alter + "ADD UNIQUE KEY u (g)"),
                new AlterKind("key_add", "ADD PRIMARY KEY (id)").of("(id INT NOT NULL, " + USUAL + ", KEY k (id))"),
                new AlterKind("key_drop", "DROP PRIMARY KEY, ADD INDEX k (id)"),
                new AlterKind("key_replace", "DROP PRIMARY KEY, ADD PRIMARY KEY (id, a)"),
                new AlterKind("foreign_add", foreignKey).after(parents, parent),
                new AlterKind("foreign_drop", "DROP FOREIGN KEY of_parent").after(parents, parent, alter + foreignKey),
                new AlterKind("check_add", "ADD CONSTRAINT positive CHECK (a > 0)"),
                new AlterKind("check_drop", "DROP CHECK positive")
                        .after(alter + "ADD CONSTRAINT positive CHECK (a > 0)"),
                new AlterKind("engine", "ENGINE=InnoDB, COMMENT='new'"),
                new AlterKind("part_by", "PARTITION BY HASH (id) PARTITIONS 3"),
                new AlterKind("part_add", "ADD PARTITION (PARTITION top VALUES LESS THAN (3000000))").of(PARTITIONED),
                new AlterKind(
                                "part_split",
                                "REORGANIZE PARTITION low INTO (PARTITION least VALUES LESS THAN (40), PARTITION low"
                                        + " VALUES LESS THAN (1000000))")
                        .of(PARTITIONED),
                new AlterKind("part_drop", "DROP PARTITION high")
                        .of(PARTITIONED)
                        .after(high)
                        .waiting(),
                new AlterKind("part_exchange", "EXCHANGE PARTITION high WITH TABLE %1$s.x")
                        .of(PARTITIONED)
                        .after(
                                high,
                                "CREATE TABLE %1$s.x " + COLUMNS,
                                "INSERT INTO %1$s.x (id) VALUES (1500000 + %2$d)")
                        .waiting());
    }

    String schema() {
        return "k_" + name;
    }

    /** The statements that prepare the table on a shard. */
    String[] setup(int shard) {
        return before.stream()
                .map(text -> String.format(Locale.ROOT, text, schema(), shard))
                .toArray(String[]::new);
    }

    String alter() {
        return "ALTER TABLE " + schema() + ".t " + String.format(Locale.ROOT, items, schema());
    }

    @Override
    public String toString() {
        return name;
    }
}
