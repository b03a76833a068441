package io.tributary.system.ddl;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A column of a table whose definition changes randomly. All its values fit all types of its family, so that a server accepts each change from one
 * type to another.
 *
 * @param type one of the types of the family
 * @param isRequired NOT NULL, with a default that is not null
 */
record SoakColumn(String name, Family family, String type, boolean isRequired) {
    /** Types that can be changed to one another without loss of values, in any order unless stated otherwise. */
    @SuppressWarnings("ImmutableEnumChecker") // its lists are List.of
    enum Family {
        INTEGER(
                false,
                "7",
                List.of("0", "1", "42", "99", "127"),
                "SMALLINT",
                "INT",
                "BIGINT",
                "TINYINT",
                "INT UNSIGNED"),
        /** Only to more digits on both sides of the decimal point. */
        DECIMAL(
                true,
                "'1.50'",
                List.of("0", "12.25", "-3.5", "99.99"),
                "DECIMAL(6,2)",
                "DECIMAL(8,3)",
                "DECIMAL(12,4)"),
        TEXT(
                false,
                "'abc'",
                List.of("''", "'x'", "'it''s'", "'a longer one'"),
                "VARCHAR(20)",
                "VARCHAR(300)",
                "CHAR(14)",
                "VARCHAR(40) CHARACTER SET latin1",
                "VARCHAR(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"),
        /** The default of a BLOB or TEXT cannot be a literal. */
        LONG_TEXT(false, "NULL", List.of("''", "'x'", "'wide: äöü€'"), "TEXT", "MEDIUMTEXT", "LONGTEXT"),
        TIME(true, "'2024-02-29 12:00:00'", List.of("'2024-01-02 03:04:05'"), "DATETIME", "DATETIME(3)", "DATETIME(6)"),
        ENUM(
                false,
                "'b'",
                List.of("'a'", "'b'"),
                "ENUM('a','b')",
                "ENUM('a','b','c')",
                "ENUM('c','b','a','d')",
                "ENUM('z','a','b')"),
        SET(false, "'b'", List.of("''", "'a'", "'a,b'"), "SET('a','b')", "SET('a','b','c')"),
        FLOATING(true, "1.5", List.of("0", "0.25", "-100.5"), "FLOAT", "DOUBLE"),
        BYTES(false, "'ab'", List.of("''", "x'00ff'"), "VARBINARY(10)", "VARBINARY(300)"),
        BIT(true, "b'101'", List.of("b'0'", "b'1111'"), "BIT(4)", "BIT(12)", "BIT(33)");

        private final boolean growsOnly;
        private final String defaultValue;
        private final List<String> values;
        private final List<String> types;

        Family(boolean growsOnly, String defaultValue, List<String> values, String... types) {
            this.growsOnly = growsOnly;
            this.defaultValue = defaultValue;
            this.values = values;
            this.types = List.of(types);
        }

        String randomType(Random random) {
            return types.get(growsOnly ? 0 : random.nextInt(types.size()));
        }
    }

    static SoakColumn random(String name, Random random) {
        Family family = Family.values()[random.nextInt(Family.values().length)];
        boolean isRequired = random.nextInt(3) == 0 && !family.defaultValue.equals("NULL");
        return new SoakColumn(name, family, family.randomType(random), isRequired);
    }

    /** The text after the name. */
    String definition() {
        return type + (isRequired ? " NOT NULL" : "") + " DEFAULT " + family.defaultValue;
    }

    /** A random value of the column, as an SQL literal. */
    String value(Random random) {
        return !isRequired && random.nextInt(5) == 0 ? "NULL" : family.values.get(random.nextInt(family.values.size()));
    }

    /** The column with a random type to which its values can be changed; unchanged if there is none. */
    SoakColumn changed(Random random) {
        int next = family.growsOnly
                ? Math.min(family.types.indexOf(type) + 1, family.types.size() - 1)
                : random.nextInt(family.types.size());
        String other = family.types.get(next);
        boolean isLost = other.contains("latin1"); // rows cannot be converted to it
        return new SoakColumn(name, family, isLost ? type : other, isRequired);
    }

    SoakColumn renamed(String newName) {
        return new SoakColumn(newName, family, type, isRequired);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %s", name, definition());
    }
}
