package io.tributary.system.ddl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A random series of changes of one logical table. Every member runs all of them in this order, each member with one of the wordings. The table
 * keeps the columns id and v, which a load writes.
 */
final class SoakScript {
    /** The placeholder of the physical table in statements, with its schema. */
    private static final String TABLE = "@";

    /** The placeholder of the name that a server gives to the only check of the table. */
    private static final String CHECK = "@chk";

    /** The placeholder of the name that a server gives to the only foreign key of the table. */
    private static final String FOREIGN_KEY = "@ibfk";

    private final Random random;

    /** A statement that is written with the last member contains the former name of the table: no RENAME may follow it. */
    private final boolean keepsName;

    private final String schema;
    private final String firstName;
    private final List<SoakStep> steps = new ArrayList<>();
    private final List<SoakColumn> columns = new ArrayList<>();
    private final List<String> indexes = new ArrayList<>();
    private final List<String> uniques = new ArrayList<>();
    private final List<String> generated = new ArrayList<>();
    private String table;
    private Layout layout = Layout.NONE;
    private boolean hasCheck;
    private boolean hasForeignKey;
    private boolean isCreatedAgain;
    private int parts;
    private int number;

    private enum Layout {
        NONE,
        HASH,
        RANGE
    }

    /** @param table the logical name without schema */
    SoakScript(String schema, String table, Random random) {
        this.schema = schema;
        this.table = table;
        this.firstName = table;
        this.random = random;
        this.keepsName = random.nextBoolean();
        create();
    }

    /** The series, whose first step creates the table. */
    static List<SoakStep> of(String schema, String table, int changes, Random random) {
        SoakScript script = new SoakScript(schema, table, random);
        while (script.steps.size() <= changes) {
            script.next();
        }
        return script.steps;
    }

    private void next() {
        List<Supplier<Boolean>> kinds = List.of(
                this::columns,
                this::columns,
                this::columns,
                this::columns,
                this::renamedColumns,
                this::crossing,
                this::index,
                this::unique,
                this::check,
                this::option,
                this::emptied,
                this::createdAgain,
                this::partitions,
                this::partitions,
                this::renamed,
                this::swap,
                this::generated,
                this::generated,
                this::generated,
                this::foreignKey,
                this::foreignKey,
                this::exchanged,
                this::exchanged,
                this::renamedTogether,
                this::renamedInTurn,
                this::primaryKey,
                this::characterSet);
        boolean isDone = kinds.get(random.nextInt(kinds.size())).get();
        if (!isDone) {
            columns();
        }
    }

    // ---- steps

    private boolean add(String kind, String... wordings) {
        return add(kind, List.of(), wordings);
    }

    private boolean add(String kind, List<String> more, String... wordings) {
        List<List<String>> all = new ArrayList<>();
        for (String wording : wordings) {
            List<String> statements = new ArrayList<>(List.of(wording));
            statements.addAll(more);
            all.add(statements);
        }
        return addStep(kind, all, table);
    }

    private boolean addStep(String kind, List<List<String>> wordings, String tableBefore) {
        List<SoakColumn> filled = List.copyOf(columns);
        steps.add(new SoakStep(kind, wordings, schema + "." + tableBefore, schema + "." + table, filled));
        return true;
    }

    /** ALTER TABLE in several wordings with the names effect. */
    private boolean alter(String kind, String items) {
        return add(
                kind,
                "ALTER TABLE " + TABLE + " " + items,
                "alter table " + TABLE + "   " + items,
                "ALTER /* by hand */ TABLE " + TABLE + "\n  " + items + " -- " + number,
                "ALTER TABLE " + TABLE + " " + items + ", ALGORITHM=DEFAULT");
    }

    private void create() {
        columns.clear();
        indexes.clear();
        uniques.clear();
        generated.clear();
        hasCheck = false;
        hasForeignKey = false;
        layout = random.nextInt(3) == 0 ? Layout.RANGE : Layout.NONE;
        for (int i = random.nextInt(4); i > 0; i--) {
            columns.add(SoakColumn.random(newName("c"), random));
        }
        parts = 1;
        String text = "(id BIGINT NOT NULL PRIMARY KEY, v INT"
                + columns.stream().map(column -> ", " + column).collect(Collectors.joining())
                + (random.nextInt(4) == 0 ? ", " + generatedColumn() : "") + ")"
                + (layout == Layout.RANGE
                        ? " PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (0),"
                                + " PARTITION rest VALUES LESS THAN MAXVALUE)"
                        : "");
        add("create", "CREATE TABLE " + TABLE + " " + text, "create table if not exists " + TABLE + text);
    }

    private String newName(String prefix) {
        number++;
        return prefix + number;
    }

    /** Adds one statement with one to three items, each for another column. */
    private boolean columns() {
        List<String> items = new ArrayList<>();
        List<SoakColumn> untouched = new ArrayList<>(columns);
        Collections.shuffle(untouched, random);
        List<SoakColumn> added = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            SoakColumn old = untouched.isEmpty() || random.nextInt(3) == 0 ? null : untouched.remove(0);
            if (old == null) {
                SoakColumn column = SoakColumn.random(newName("c"), random);
                items.add("ADD COLUMN " + column + (random.nextBoolean() ? " FIRST" : ""));
                added.add(column);
            } else {
                items.add(changed(old));
            }
        }
        columns.addAll(added);
        if (random.nextInt(6) == 0) {
            String name = newName("i");
            items.add("ADD INDEX " + name + " (v)");
            indexes.add(name);
        }
        return alter("columns", String.join(", ", items));
    }

    private String changed(SoakColumn old) {
        int at = columns.indexOf(old);
        switch (random.nextInt(6)) {
            case 0 -> {
                columns.remove(old);
                return "DROP COLUMN " + old.name();
            }
            case 1 -> {
                SoakColumn renamed = old.changed(random).renamed(newName("c"));
                columns.set(at, renamed);
                return "CHANGE COLUMN " + old.name() + " " + renamed;
            }
            case 2 -> {
                return "MODIFY " + old + (random.nextBoolean() ? " FIRST" : " AFTER id");
            }
            case 3 -> {
                return "ALTER COLUMN " + old.name() + " SET " + (random.nextBoolean() ? "INVISIBLE" : "VISIBLE");
            }
            default -> {
                SoakColumn changed = old.changed(random);
                columns.set(at, changed);
                return "MODIFY COLUMN " + changed;
            }
        }
    }

    private boolean renamedColumns() {
        if (columns.isEmpty()) {
            return false;
        }
        SoakColumn one = columns.get(random.nextInt(columns.size()));
        SoakColumn other = columns.get(random.nextInt(columns.size()));
        if (one.equals(other)) {
            SoakColumn renamed = one.renamed(newName("c"));
            columns.set(columns.indexOf(one), renamed);
            return add(
                    "rename column",
                    "ALTER TABLE " + TABLE + " RENAME COLUMN " + one.name() + " TO " + renamed.name(),
                    "ALTER TABLE " + TABLE + " rename column `" + one.name() + "` to `" + renamed.name() + "`");
        }
        columns.set(columns.indexOf(one), other.renamed(newName("swap")));
        columns.set(columns.indexOf(other), one.renamed(other.name()));
        columns.replaceAll(column -> column.name().startsWith("swap") ? column.renamed(one.name()) : column);
        return alter(
                "swap columns",
                "RENAME COLUMN " + one.name() + " TO " + other.name() + ", RENAME COLUMN " + other.name() + " TO "
                        + one.name());
    }

    /** Adds two statements that some members run in the opposite order. */
    private boolean crossing() {
        SoakColumn first = SoakColumn.random(newName("c"), random);
        SoakColumn second = SoakColumn.random(newName("c"), random);
        columns.add(first);
        columns.add(second);
        String one = "ALTER TABLE " + TABLE + " ADD COLUMN " + first + " AFTER id";
        String other = "ALTER TABLE " + TABLE + " ADD COLUMN " + second + " FIRST";
        return addStep("crossing", List.of(List.of(one, other), List.of(other, one)), table);
    }

    private boolean index() {
        if (!indexes.isEmpty() && random.nextBoolean()) {
            String name = indexes.remove(random.nextInt(indexes.size()));
            return add(
                    "drop index",
                    "DROP INDEX " + name + " ON " + TABLE,
                    "ALTER TABLE " + TABLE + " DROP INDEX " + name,
                    "ALTER TABLE " + TABLE + " DROP KEY `" + name + "`");
        }
        String name = newName("i");
        indexes.add(name);
        return add(
                "index",
                "CREATE INDEX " + name + " ON " + TABLE + " (v, id)",
                "ALTER TABLE " + TABLE + " ADD INDEX " + name + " (v, id)",
                "alter table " + TABLE + " add key `" + name + "` (`v`,`id`)");
    }

    private boolean unique() {
        if (!keepsName) {
            return false;
        }
        if (!uniques.isEmpty() && random.nextBoolean()) {
            String name = uniques.remove(random.nextInt(uniques.size()));
            return add(
                    "drop unique",
                    "DROP INDEX " + name + " ON " + TABLE,
                    "ALTER TABLE " + TABLE + " DROP INDEX " + name);
        }
        String name = newName("u");
        uniques.add(name);
        if (random.nextInt(3) == 0) {
            SoakColumn column = SoakColumn.random(newName("c"), random);
            columns.add(column);
            return alter("column and unique", "ADD COLUMN " + column + ", ADD UNIQUE KEY " + name + " (id, v)");
        }
        return add(
                "unique",
                "CREATE UNIQUE INDEX " + name + " ON " + TABLE + " (id, v)",
                "ALTER TABLE " + TABLE + " ADD UNIQUE " + name + " (id, v)",
                "ALTER TABLE " + TABLE + " ADD CONSTRAINT " + name + " UNIQUE KEY (id,v)");
    }

    /** Adds or drops a check. The server derives its name from the table: names of checks are unique in a schema. */
    private boolean check() {
        if (!keepsName) {
            return false;
        }
        hasCheck = !hasCheck;
        return hasCheck ? alter("check", "ADD CHECK (v >= 0)") : alter("drop check", "DROP CHECK " + CHECK);
    }

    /** A column that is computed from another one; a load does not write it. */
    private String generatedColumn() {
        String name = newName("g");
        generated.add(name);
        return name + " BIGINT " + (random.nextBoolean() ? "GENERATED ALWAYS " : "") + "AS (v + " + random.nextInt(9)
                + ")" + (random.nextBoolean() ? " STORED" : "");
    }

    private boolean generated() {
        if (generated.isEmpty() || random.nextInt(3) > 0) {
            if (!keepsName || isCreatedAgain) {
                return false;
            }
            boolean isWithOther = random.nextInt(3) == 0;
            String other = "";
            if (isWithOther) {
                SoakColumn column = SoakColumn.random(newName("c"), random);
                columns.add(column);
                other = "ADD COLUMN " + column + ", ";
            }
            boolean isWithIndex = random.nextInt(3) == 0;
            String definition = generatedColumn();
            String index = isWithIndex
                    ? ", ADD INDEX " + newName("i") + " (" + definition.substring(0, definition.indexOf(' ')) + ")"
                    : "";
            return alter("generated", other + "ADD COLUMN " + definition + index);
        }
        String name = generated.remove(random.nextInt(generated.size()));
        return alter("drop generated", "DROP COLUMN " + name);
    }

    /** Adds or drops a foreign key. Rows reference themselves, so that each may be deleted. */
    private boolean foreignKey() {
        if (!keepsName || layout != Layout.NONE) {
            return false;
        }
        hasForeignKey = !hasForeignKey;
        if (!hasForeignKey) {
            return alter("drop foreign key", "DROP FOREIGN KEY " + FOREIGN_KEY);
        }
        String column = newName("f");
        return add(
                "foreign key",
                List.of("UPDATE " + TABLE + " SET " + column + " = id WHERE id % 3 = 0"),
                "ALTER TABLE " + TABLE + " ADD COLUMN " + column + " BIGINT, ADD FOREIGN KEY (" + column
                        + ") REFERENCES " + TABLE + " (id)",
                "alter table " + TABLE + " add " + column + " bigint, add foreign key (" + column + ") references "
                        + TABLE + "(`id`)");
    }

    private boolean option() {
        List<String> options = List.of(
                "COMMENT='" + newName("x") + "'", "ENGINE=InnoDB", "FORCE", "ROW_FORMAT=DYNAMIC", "STATS_PERSISTENT=1");
        return alter("option", options.get(random.nextInt(options.size())));
    }

    private boolean emptied() {
        if (isCreatedAgain) {
            return false;
        }
        return add("truncate", "TRUNCATE TABLE " + TABLE, "truncate " + TABLE, "TRUNCATE /* all */ TABLE " + TABLE);
    }

    /**
     * Drops the table and creates it again. No statement waits for a member that will be created again and is not known yet: changes that need all
     * members run before the table is created again.
     */
    private boolean createdAgain() {
        if (isCreatedAgain) {
            return false;
        }
        isCreatedAgain = true;
        steps.add(new SoakStep(
                "drop",
                List.of(List.of("DROP TABLE " + TABLE), List.of("DROP TABLE IF EXISTS " + TABLE)),
                schema + "." + table,
                schema + "." + table,
                List.of()));
        create();
        return true;
    }

    private boolean partitions() {
        switch (layout) {
            case NONE -> {
                if (hasForeignKey) {
                    return false;
                }
                if (random.nextBoolean()) {
                    layout = Layout.HASH;
                    parts = 3;
                    return add("partition", "ALTER TABLE " + TABLE + " PARTITION BY HASH (id) PARTITIONS 3");
                }
                layout = Layout.RANGE;
                parts = 1;
                return add(
                        "partition",
                        "ALTER TABLE " + TABLE + " PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (0),"
                                + " PARTITION rest VALUES LESS THAN MAXVALUE)");
            }
            case HASH -> {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        parts++;
                        return add("add partition", "ALTER TABLE " + TABLE + " ADD PARTITION PARTITIONS 1");
                    }
                    case 1 -> {
                        if (parts > 1) {
                            parts--;
                            return add("coalesce partition", "ALTER TABLE " + TABLE + " COALESCE PARTITION 1");
                        }
                        return false;
                    }
                    default -> {
                        layout = Layout.NONE;
                        return add("remove partitioning", "ALTER TABLE " + TABLE + " REMOVE PARTITIONING");
                    }
                }
            }
            case RANGE -> {
                return ofRange();
            }
        }
        return false;
    }

    /**
     * Adds a change of partitions. Only the first partition is emptied; it has rows that were inserted when the table was created, and gets no
     * others.
     */
    private boolean ofRange() {
        String first = "p" + parts;
        switch (keepsName && !isCreatedAgain ? random.nextInt(4) : 3) {
            case 0 -> {
                return add(
                        "truncate partition",
                        "ALTER TABLE " + TABLE + " TRUNCATE PARTITION " + first,
                        "alter table " + TABLE + " truncate partition " + first);
            }
            case 1 -> {
                parts++;
                return add(
                        "reorganize partition",
                        "ALTER TABLE " + TABLE + " REORGANIZE PARTITION " + first + " INTO (PARTITION p" + parts
                                + " VALUES LESS THAN (0))");
            }
            case 2 -> {
                List<String> statements = List.of(
                        "ALTER TABLE " + TABLE + " DROP PARTITION " + first,
                        "ALTER TABLE " + TABLE + " REORGANIZE PARTITION rest INTO (PARTITION " + first
                                + " VALUES LESS THAN (0), PARTITION rest VALUES LESS THAN MAXVALUE)");
                return addStep("drop partition", List.of(statements), table);
            }
            default -> {
                layout = Layout.NONE;
                return add("remove partitioning", "ALTER TABLE " + TABLE + " REMOVE PARTITIONING");
            }
        }
    }

    private boolean renamed() {
        if (keepsName || isCreatedAgain) {
            return false;
        }
        String before = table;
        table = newName("r") + "x" + table.replaceFirst("^r\\d+x", "");
        List<List<String>> wordings = List.of(
                List.of("RENAME TABLE " + TABLE + " TO @@"),
                List.of("ALTER TABLE " + TABLE + " RENAME TO @@"),
                List.of("alter table " + TABLE + " rename @@"));
        return addStep("rename", wordings, before);
    }

    /** Adds a statement that renames two tables. */
    private boolean renamedTogether() {
        if (keepsName || isCreatedAgain) {
            return false;
        }
        String side = newSide();
        side("side", side, "CREATE TABLE " + of(side) + " (id BIGINT NOT NULL PRIMARY KEY, v INT)");
        String before = table;
        table = newName("r") + "x" + table.replaceFirst("^r\\d+x", "");
        String other = newSide();
        addStep(
                "rename together",
                List.of(
                        List.of("RENAME TABLE " + TABLE + " TO @@, " + of(side) + " TO " + of(other)),
                        List.of("rename table " + TABLE + " to @@, " + of(side) + " to " + of(other))),
                before);
        return add("drop side", "DROP TABLE " + of(other));
    }

    /** Adds a statement that renames one table twice. */
    private boolean renamedInTurn() {
        if (keepsName || isCreatedAgain) {
            return false;
        }
        String before = table;
        String middle = newSide();
        table = newName("r") + "x" + table.replaceFirst("^r\\d+x", "");
        String text = TABLE + " TO " + of(middle) + ", " + of(middle) + " TO @@";
        return addStep("rename in turn", List.of(List.of("RENAME TABLE " + text)), before);
    }

    /** The name of another table, which no other series uses. */
    private String newSide() {
        return newName("s") + "x" + firstName;
    }

    private static String of(String side) {
        return TABLE + "{" + side + "}";
    }

    /** Adds the creation of another table of each member, with some rows. */
    private void side(String kind, String side, String... statements) {
        List<String> all = new ArrayList<>(List.of(statements));
        all.add("INSERT INTO " + of(side) + " (id, v) VALUES (-@id, 2), (-@id, 2)");
        addStep(kind, List.of(all), table);
    }

    /**
     * Exchanges the first partition with another table. FORCE is needed because a server refuses the exchange with a table to which a column was
     * added with ALGORITHM=INSTANT.
     */
    private boolean exchanged() {
        boolean isPlain = uniques.isEmpty() && !hasCheck && generated.isEmpty();
        if (layout != Layout.RANGE || !keepsName || isCreatedAgain || !isPlain) {
            return false;
        }
        String side = newSide();
        side(
                "side for exchange",
                side,
                "ALTER TABLE " + TABLE + " FORCE",
                "CREATE TABLE " + of(side) + " LIKE " + TABLE,
                "ALTER TABLE " + of(side) + " REMOVE PARTITIONING");
        String text = "EXCHANGE PARTITION p" + parts + " WITH TABLE " + of(side);
        add(
                "exchange partition",
                "ALTER TABLE " + TABLE + " " + text,
                "alter table " + TABLE + " " + text,
                "ALTER TABLE " + TABLE + " " + text + " WITHOUT VALIDATION");
        return add("drop side", "DROP TABLE " + of(side), "DROP TABLE IF EXISTS " + of(side));
    }

    private boolean primaryKey() {
        if (layout != Layout.NONE || !keepsName || hasForeignKey) {
            return false;
        }
        return alter("primary key", "DROP PRIMARY KEY, ADD PRIMARY KEY (id)");
    }

    private boolean characterSet() {
        columns.replaceAll(
                column -> column.type().contains("latin1") || column.type().contains("utf8mb4")
                        ? new SoakColumn(column.name(), column.family(), "VARCHAR(60)", column.isRequired())
                        : column);
        return alter("character set", "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");
    }

    /** Adds the statements of gh-ost, with the rows copied under a lock: the change keeps the columns, or adds one. */
    private boolean swap() {
        if (hasCheck || hasForeignKey) {
            return false; // on a copy it has another name, or does not exist
        }
        String names = columns.stream().map(column -> ", " + column.name()).collect(Collectors.joining());
        String items = "ENGINE=InnoDB";
        if (random.nextBoolean()) {
            SoakColumn column = SoakColumn.random(newName("c"), random);
            columns.add(column);
            items = "ADD COLUMN " + column;
        }
        List<String> wording = List.of(
                "create /* gh-ost */ table @gho like " + TABLE,
                "alter /* gh-ost */ table @gho " + items,
                String.format(
                        Locale.ROOT,
                        "LOCK TABLES %1$s WRITE, @gho WRITE;"
                                + "INSERT /* gh-ost */ INTO @gho (id, v%2$s) SELECT id, v%2$s FROM %1$s;"
                                + "rename /* gh-ost */ table %1$s to @del, @gho to %1$s;UNLOCK TABLES",
                        TABLE,
                        names),
                "drop /* gh-ost */ table if exists @del");
        return addStep("swap", List.of(wording), table);
    }
}
