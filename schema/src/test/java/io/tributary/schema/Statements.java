package io.tributary.schema;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Parses statements for tests, in a session of MySQL 8.0.31 in the schema {@code s}. */
public final class Statements {
    public static final ReadSession SESSION = ReadSession.standard("s");
    public static final Function<TableName, Optional<TableDefinition>> NO_OTHER = name -> Optional.empty();

    private Statements() {}

    public static TableDefinition tableOf(String statement) {
        return tableOf(statement, SESSION);
    }

    public static TableDefinition tableOf(String statement, ReadSession session) {
        return DefinitionReader.create(statement, session, NO_OTHER).orElseThrow();
    }

    /** The table after a CREATE TABLE and the statements after it, all of the same table. */
    public static TableDefinition after(String creation, String... alterations) {
        TableDefinition table = tableOf(creation);
        for (String alteration : alterations) {
            table = DefinitionReader.alter(table, alteration, SESSION).orElseThrow();
        }
        return table;
    }

    public static boolean isRead(String statement) {
        return DefinitionReader.create(statement, SESSION, NO_OTHER).isPresent();
    }

    public static boolean isRead(TableDefinition before, String statement) {
        return DefinitionReader.alter(before, statement, SESSION).isPresent();
    }

    public static List<String> names(TableDefinition table) {
        return table.columns().stream().map(Column::name).toList();
    }

    /** A column in written form, such as {@code `a` int NULL DEFAULT NULL}. */
    public static String written(TableDefinition table, String column) {
        String name = "  `" + table.column(column).orElseThrow().name() + "` ";
        return CreateTable.text(table)
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).replaceAll(",$", ""))
                .findFirst()
                .orElseThrow();
    }

    /** A column that is parsed from its definition alone, in written form. */
    public static String column(String definition) {
        return column(definition, SESSION);
    }

    public static String column(String definition, ReadSession session) {
        return written(tableOf("CREATE TABLE t (a " + definition + ")", session), "a");
    }
}
