package io.tributary.schema.write;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.Generation;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.KeyReference;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Random definitions in the form of servers: keys in order, names everywhere, defaults as stored. */
final class RandomDefinitions {
    private static final List<String> COLLATIONS =
            List.of("utf8mb4_0900_ai_ci", "latin1_swedish_ci", "utf8mb3_bin", "gbk_chinese_ci", "utf16_general_ci");
    private static final List<String> TEXTS = List.of("", "abc", "it's", "a\\b", "line\nline", "ü", "%_", "a`b", "\"");

    private final Random random;

    RandomDefinitions(Random random) {
        this.random = random;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    TableDefinition next() {
        List<Column> columns = new ArrayList<>();
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            columns.add(column("c" + i + one(List.of("", " x", "`", "Ü", ".y"))));
        }
        Column first = columns.get(0);
        List<TableKey> keys = new ArrayList<>();
        if (random.nextBoolean()) {
            columns.set(0, first.notNull());
            keys.add(new TableKey(
                    TableKey.Kind.PRIMARY, TableKey.PRIMARY_NAME, List.of(KeyPart.of(first.name())), true));
        }
        keys.add(new TableKey(
                TableKey.Kind.PLAIN,
                "k`",
                List.of(new KeyPart(first.name(), 0, random.nextBoolean(), ""), new KeyPart("", 0, false, "`a` + 1")),
                random.nextBoolean()));
        List<ForeignKey> foreignKeys = random.nextBoolean()
                ? List.of()
                : List.of(new ForeignKey(
                        "f",
                        List.of(first.name()),
                        new KeyReference(
                                new TableName("o", "p"),
                                List.of("id"),
                                "CASCADE",
                                one(List.of("NO ACTION", "SET NULL")))));
        List<Check> checks = List.of(new Check("chk", "(`a` > 1) or (`b` = 'it''s')", random.nextBoolean()));
        return new TableDefinition(
                new TableName("s", "t"), columns, keys, new TableConstraints(foreignKeys, checks), one(COLLATIONS));
    }

    private Column column(String name) {
        SqlType type = type();
        boolean nullable = random.nextBoolean();
        if (random.nextInt(10) == 0) {
            Generation generation = new Generation("concat(`a`,'x')", random.nextBoolean());
            return new Column(name, type, nullable, Default.NONE, Optional.of(generation), false, "", true);
        }
        Default implied = nullable ? Default.NULL : Default.NONE;
        Default value = random.nextBoolean() ? implied : literal(type, implied);
        return new Column(name, type, nullable, value, Optional.empty(), false, onUpdate(type), random.nextInt(5) > 0);
    }

    private String onUpdate(SqlType type) {
        boolean timed = type.name().equals("timestamp") || type.name().equals("datetime");
        return !timed || random.nextBoolean() ? "" : now(type);
    }

    private static String now(SqlType type) {
        return "CURRENT_TIMESTAMP" + (type.decimals() > 0 ? "(" + type.decimals() + ")" : "");
    }

    private Default literal(SqlType type, Default implied) {
        return switch (type.name()) {
            case "int", "bigint", "tinyint" ->
                new Default.Literal("0".repeat(type.zerofill() ? type.length() - 1 : 0) + "7");
            case "decimal" -> new Default.Literal("1.50");
            case "double" -> new Default.Literal("1e100");
            case "bit" -> new Default.Literal("101");
            case "date" -> new Default.Literal("2020-02-29");
            case "timestamp", "datetime" -> new Default.Expression(now(type));
            case "varchar" -> new Default.Literal(one(TEXTS));
            case "binary" -> new Default.Literal("a\0\u00ff");
            case "varbinary" -> new Default.Literal(one(List.of("", "\u00ff'")));
            case "enum" -> new Default.Literal("it's");
            case "set" -> new Default.Literal("x,z z");
            default -> type.isText() ? new Default.Expression("concat('a',1)") : implied;
        };
    }

    private SqlType type() {
        return switch (random.nextInt(16)) {
            case 0 -> SqlType.of("int");
            case 1 -> SqlType.of("bigint", 20, 0).withSign(true, true);
            case 2 -> SqlType.of("tinyint", 1, 0);
            case 3 -> SqlType.of("decimal", 5, 2);
            case 4 -> SqlType.of(one(List.of("double", "double")), 0, 0);
            case 5 -> SqlType.of("bit", 9, 0);
            case 6 -> SqlType.of("date");
            case 7 -> SqlType.of("timestamp", 0, one(List.of(0, 3, 6)));
            case 8 -> SqlType.of("datetime", 0, one(List.of(0, 2)));
            case 9 ->
                SqlType.of("varchar", random.nextInt(100), 0).withLength(100).withCollation(one(COLLATIONS));
            case 10 -> SqlType.of("binary", 3, 0);
            case 11 -> SqlType.of("varbinary", 100, 0);
            case 12 -> SqlType.of("enum").withValues(List.of("a", "it's", "\\")).withCollation("latin1_bin");
            case 13 -> SqlType.of("set").withValues(List.of("x", "y", "z z")).withCollation(one(COLLATIONS));
            case 14 -> SqlType.of(one(List.of("text", "longtext"))).withCollation(one(COLLATIONS));
            default ->
                one(List.of(
                        SqlType.of("json"),
                        SqlType.of("point").withSrid(4326),
                        SqlType.of("vector", 7, 0),
                        SqlType.of("longblob")));
        };
    }
}
