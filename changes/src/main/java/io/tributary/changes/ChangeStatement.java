package io.tributary.changes;

import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.schema.definition.TableDefinition;
import java.util.List;

/**
 * A statement of the binlog, such as DDL.
 *
 * @param kind what it changes
 * @param verb its first words in upper case, such as {@code ALTER TABLE}
 * @param schema the default schema in which it is executed, "" for none
 * @param text the statement
 * @param targets the tables, schemas (with an empty table name) and programs that it changes
 * @param tables the definitions, after the statement, of those of the targets that are tables and exist
 */
public record ChangeStatement(
        StatementKind kind,
        String verb,
        String schema,
        String text,
        List<TableName> targets,
        List<TableDefinition> tables) {
    public ChangeStatement {
        targets = List.copyOf(targets);
        tables = List.copyOf(tables);
    }

    /** Whether it changes tables or schemas. */
    public boolean isDdl() {
        return kind == StatementKind.TABLE || kind == StatementKind.SCHEMA;
    }
}
