package io.tributary.schema.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the type of a column (MySQL manual, "Data Types"; synonyms from the tokens of sql/sql_yacc.yy). */
final class TypeReader {
    private static final Map<String, String> PLAIN = Map.ofEntries(
            Map.entry("TINYINT", "tinyint"),
            Map.entry("INT1", "tinyint"),
            Map.entry("SMALLINT", "smallint"),
            Map.entry("INT2", "smallint"),
            Map.entry("MEDIUMINT", "mediumint"),
            Map.entry("INT3", "mediumint"),
            Map.entry("MIDDLEINT", "mediumint"),
            Map.entry("INT", "int"),
            Map.entry("INTEGER", "int"),
            Map.entry("INT4", "int"),
            Map.entry("BIGINT", "bigint"),
            Map.entry("INT8", "bigint"),
            Map.entry("DECIMAL", "decimal"),
            Map.entry("DEC", "decimal"),
            Map.entry("NUMERIC", "decimal"),
            Map.entry("FIXED", "decimal"),
            Map.entry("FLOAT", "float"),
            Map.entry("FLOAT4", "float"),
            Map.entry("FLOAT8", "double"),
            Map.entry("DOUBLE", "double"),
            Map.entry("BIT", "bit"),
            Map.entry("YEAR", "year"),
            Map.entry("DATE", "date"),
            Map.entry("TIME", "time"),
            Map.entry("DATETIME", "datetime"),
            Map.entry("TIMESTAMP", "timestamp"),
            Map.entry("CHAR", "char"),
            Map.entry("CHARACTER", "char"),
            Map.entry("NCHAR", "char"),
            Map.entry("VARCHAR", "varchar"),
            Map.entry("VARCHARACTER", "varchar"),
            Map.entry("NVARCHAR", "varchar"),
            Map.entry("BINARY", "binary"),
            Map.entry("VARBINARY", "varbinary"),
            Map.entry("TINYTEXT", "tinytext"),
            Map.entry("TEXT", "text"),
            Map.entry("MEDIUMTEXT", "mediumtext"),
            Map.entry("LONGTEXT", "longtext"),
            Map.entry("TINYBLOB", "tinyblob"),
            Map.entry("BLOB", "blob"),
            Map.entry("MEDIUMBLOB", "mediumblob"),
            Map.entry("LONGBLOB", "longblob"),
            Map.entry("ENUM", "enum"),
            Map.entry("SET", "set"),
            Map.entry("JSON", "json"),
            Map.entry("GEOMETRY", "geometry"),
            Map.entry("POINT", "point"),
            Map.entry("LINESTRING", "linestring"),
            Map.entry("POLYGON", "polygon"),
            Map.entry("MULTIPOINT", "multipoint"),
            Map.entry("MULTILINESTRING", "multilinestring"),
            Map.entry("MULTIPOLYGON", "multipolygon"),
            Map.entry("GEOMETRYCOLLECTION", "geomcollection"),
            Map.entry("GEOMCOLLECTION", "geomcollection"),
            Map.entry("VECTOR", "vector"),
            Map.entry("UUID", "uuid"), // MariaDB, as the next two
            Map.entry("INET4", "inet4"),
            Map.entry("INET6", "inet6"));
    private static final Map<String, String> OF_MARIADB = Map.of("NUMBER", "decimal", "VARCHAR2", "varchar");

    private final Cursor cursor;
    private final ReadSession session;

    TypeReader(Cursor cursor, ReadSession session) {
        this.cursor = cursor;
        this.session = session;
    }

    RawType read() {
        String word = cursor.next().word();
        RawType type = switch (word) {
            case "BOOL", "BOOLEAN" -> RawType.of("tinyint").withLength(1);
            case "SERIAL" -> RawType.of("bigint").withUnsigned();
            case "REAL" -> numbers(RawType.of(session.isRealFloat() ? "float" : "double"));
            case "NATIONAL" -> national();
            case "LONG" -> ofLong();
            case "JSON" -> json();
            default -> plain(word);
        };
        return attributes(type);
    }

    private RawType plain(String word) {
        String name = PLAIN.get(word);
        if (name == null && session.mariadb()) {
            name = OF_MARIADB.get(word);
        }
        if (name == null) {
            throw new UnreadableStatementException("expected a type, found " + word);
        }
        RawType type = RawType.of(name);
        switch (word) {
            case "DOUBLE" -> cursor.accept("PRECISION");
            case "CHAR", "CHARACTER" -> {
                type = cursor.accept("VARYING") ? type.withName("varchar") : type;
            }
            case "NCHAR" -> {
                boolean varying = cursor.accept("VARYING") || cursor.accept("VARCHAR") || cursor.accept("VARCHARACTER");
                type = (varying ? type.withName("varchar") : type).withCharset("utf8mb3");
            }
            case "NVARCHAR" -> type = type.withCharset("utf8mb3");
            case "ENUM", "SET" -> {
                return type.withValues(values());
            }
            default -> {
                // only numbers may follow it
            }
        }
        return numbers(type);
    }

    /** MariaDB creates a LONGTEXT with a check, see {@link ColumnReader}. */
    private RawType json() {
        return session.mariadb() ? RawType.of("longtext").withCollation("utf8mb4_bin") : RawType.of("json");
    }

    private RawType national() {
        boolean varying = cursor.accept("VARCHAR") || cursor.accept("VARCHARACTER");
        if (!varying && (cursor.accept("CHAR") || cursor.accept("CHARACTER"))) {
            varying = cursor.accept("VARYING");
        }
        return numbers(RawType.of(varying ? "varchar" : "char").withCharset("utf8mb3"));
    }

    private RawType ofLong() {
        if (cursor.accept("VARBINARY")) {
            return RawType.of("mediumblob");
        }
        if (cursor.accept("CHAR") || cursor.accept("CHARACTER")) {
            cursor.require("VARYING");
        } else if (!cursor.accept("VARCHAR")) {
            cursor.accept("VARCHARACTER");
        }
        return RawType.of("mediumtext");
    }

    private RawType numbers(RawType type) {
        if (!cursor.acceptSign('(')) {
            return type;
        }
        RawType made = type.withLength((int) Math.min(cursor.number(), Integer.MAX_VALUE));
        if (cursor.acceptSign(',')) {
            made = made.withDecimals(cursor.integer());
        }
        cursor.requireSign(')');
        return made;
    }

    private List<String> values() {
        List<String> values = new ArrayList<>();
        cursor.requireSign('(');
        do {
            values.add(Constant.read(cursor).asText("utf8mb4"));
        } while (cursor.acceptSign(','));
        cursor.requireSign(')');
        return values;
    }

    /** Reads the attributes after a type: sign, zerofill, character set. */
    private RawType attributes(RawType read) {
        RawType type = read;
        while (true) {
            switch (cursor.word()) {
                case "UNSIGNED" -> type = type.withUnsigned();
                case "SIGNED" -> {
                    // the default, no effect
                }
                case "ZEROFILL" -> type = type.withZerofill();
                case "ASCII" -> type = type.withCharset("latin1");
                case "UNICODE" -> type = type.withCharset("ucs2");
                case "BYTE" -> type = type.withCollation("binary");
                case "BINARY" -> type = type.withBinary();
                case "CHARSET" -> type = charset(type, 1);
                case "CHARACTER", "CHAR" -> type = charset(type, 2);
                default -> {
                    return type;
                }
            }
            cursor.skip();
        }
    }

    /** Reads a character set; the cursor is at the last token of the clause. */
    private RawType charset(RawType type, int words) {
        for (int i = 0; i < words; i++) {
            cursor.skip();
        }
        cursor.acceptEquals();
        String charset = cursor.token().value();
        return charset.equalsIgnoreCase("binary") ? type.withCollation("binary") : type.withCharset(charset);
    }
}
