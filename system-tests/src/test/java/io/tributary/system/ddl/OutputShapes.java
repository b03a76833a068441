package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.check.BinlogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The check of I17: each table map of a binlog matches the definition that is valid there, which is derived from the statements of the binlog from
 * its beginning. A table whose definition cannot be read from its statements is not compared.
 */
final class OutputShapes {
    private final Map<TableName, TableDefinition> tables = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long compared;
    private long unknown;

    private OutputShapes() {}

    /**
     * Checks all files of a folder.
     *
     * @return the number of compared table maps
     */
    static long assertInForce(Path folder) throws IOException {
        OutputShapes shapes = new OutputShapes();
        for (Path path : BinlogReader.ofFolder(folder).files()) {
            try (BinlogFile file = BinlogFile.open(path)) {
                for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                    shapes.read(event);
                }
            }
        }
        assertEquals(List.of(), shapes.wrong.subList(0, Math.min(5, shapes.wrong.size())), "I17");
        if (shapes.unknown > shapes.compared) {
            throw new AssertionError(
                    "I17: " + shapes.unknown + " table maps of unknown definitions, " + shapes.compared + " compared");
        }
        return shapes.compared;
    }

    private void read(BinlogEvent event) {
        ByteBuffer bytes = event.bytes();
        if (event.type() == EventType.QUERY_EVENT) {
            byte[] text = new byte[bytes.limit() - QueryEvent.textAt(bytes, 0)];
            bytes.get(QueryEvent.textAt(bytes, 0), text);
            statement(new String(text, StandardCharsets.UTF_8), QueryEvent.schema(bytes, 0));
        } else if (event.type() == EventType.TABLE_MAP_EVENT) {
            compare(event);
        }
    }

    // ---- statements

    private void statement(String text, String schema) {
        ReadSession session = ReadSession.standard(schema);
        SqlTokens tokens = SqlScanner.scan(text, session.mode());
        if (tokens.areWords(0, "CREATE", "TABLE")) {
            Optional<TableDefinition> made =
                    DefinitionReader.create(text, session, other -> Optional.ofNullable(tables.get(other)));
            made.ifPresent(definition -> tables.put(definition.name(), definition));
        } else if (tokens.areWords(0, "DROP", "TABLE")) {
            tables.remove(name(tokens, tokens.afterIfExists(2), schema));
        } else if (tokens.areWords(0, "DROP", "DATABASE") || tokens.areWords(0, "DROP", "SCHEMA")) {
            String dropped = tokens.get(tokens.afterIfExists(2)).value();
            tables.keySet().removeIf(table -> table.schema().equals(dropped));
        } else if (tokens.areWords(0, "RENAME", "TABLE")) {
            int to = tokens.isSign(3, '.') ? 6 : 4;
            rename(name(tokens, 2, schema), name(tokens, to, schema));
        } else if (tokens.areWords(0, "ALTER", "TABLE")) {
            alter(name(tokens, 2, schema), text, session);
        } else if (tokens.isWord(0, "CREATE") || tokens.areWords(0, "DROP", "INDEX")) {
            int on = 0;
            while (on < tokens.size() && !tokens.isWord(on, "ON")) {
                on++;
            }
            if (on + 1 < tokens.size()) {
                alter(name(tokens, on + 1, schema), text, session);
            }
        }
    }

    private void alter(TableName table, String text, ReadSession session) {
        TableDefinition before = tables.remove(table);
        if (before != null) {
            DefinitionReader.alter(before, text, session)
                    .ifPresent(definition -> tables.put(definition.name(), definition));
        }
    }

    private void rename(TableName from, TableName to) {
        TableDefinition renamed = tables.remove(from);
        if (renamed != null) {
            tables.put(to, renamed.named(to));
        }
    }

    private static TableName name(SqlTokens tokens, int at, String schema) {
        return tokens.isSign(at + 1, '.')
                ? new TableName(tokens.get(at).value(), tokens.get(at + 2).value())
                : new TableName(schema, tokens.get(at).value());
    }

    // ---- table maps

    private void compare(BinlogEvent event) {
        ByteBuffer bytes = event.bytes();
        TableName name = new TableName(TableMapEvent.schema(bytes, 0), TableMapEvent.table(bytes, 0));
        TableDefinition definition = tables.get(name);
        if (definition == null) {
            unknown++;
            return;
        }
        compared++;
        ByteBuffer rendered = TableMapEvent.withBody(
                bytes,
                0,
                name.schema().getBytes(StandardCharsets.UTF_8),
                name.table().getBytes(StandardCharsets.UTF_8),
                TableMap.body(definition, Metadata.FULL));
        List<String> expected = columns(TableShape.of(rendered, 0, rendered.limit()));
        List<String> found = columns(TableShape.of(bytes, 0, bytes.limit()));
        if (!expected.equals(found)) {
            wrong.add(
                    event.file() + ":" + event.offset() + ": " + name + ": expected " + expected + ", found " + found);
        }
    }

    /** The types of the columns as rows have them. */
    private static List<String> columns(TableShape shape) {
        List<String> columns = new ArrayList<>();
        for (int column = 0; column < shape.columnCount(); column++) {
            columns.add(shape.type(column) + "(" + shape.metadata(column) + ")"
                    + (shape.isNullable(column) ? " null" : "")
                    + (shape.isUnsigned(column) ? " unsigned" : ""));
        }
        return columns;
    }
}
