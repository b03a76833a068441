package io.tributary.extractor.definition;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.schema.sql.SqlNames;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The queries of information_schema about several tables: five queries for any number of tables. If the tables belong to several schemas, the
 * answers may also contain rows of tables that were not requested.
 */
final class DefinitionQueries {
    private static final String TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME, ENGINE, TABLE_COLLATION, TABLE_COMMENT"
            + " FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND ";

    private static final String COLUMNS = "SELECT TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION, COLUMN_NAME, COLUMN_TYPE,"
            + " IS_NULLABLE, COLUMN_DEFAULT, EXTRA, CHARACTER_SET_NAME, COLLATION_NAME, GENERATION_EXPRESSION, SRS_ID,"
            + " COLUMN_COMMENT FROM information_schema.COLUMNS WHERE ";

    private static final String KEYS = "SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME,"
            + " COLLATION, SUB_PART, INDEX_TYPE, NON_UNIQUE, IS_VISIBLE, INDEX_COMMENT, EXPRESSION"
            + " FROM information_schema.STATISTICS WHERE ";

    private static final String FOREIGN_KEYS = "SELECT k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME,"
            + " k.ORDINAL_POSITION, k.COLUMN_NAME, k.REFERENCED_TABLE_SCHEMA, k.REFERENCED_TABLE_NAME,"
            + " k.REFERENCED_COLUMN_NAME, r.UPDATE_RULE, r.DELETE_RULE FROM information_schema.KEY_COLUMN_USAGE k"
            + " JOIN information_schema.REFERENTIAL_CONSTRAINTS r ON r.CONSTRAINT_SCHEMA = k.TABLE_SCHEMA"
            + " AND r.TABLE_NAME = k.TABLE_NAME AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME"
            + " WHERE k.REFERENCED_TABLE_NAME IS NOT NULL AND ";

    private static final String CHECKS = "SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.CONSTRAINT_NAME, c.CHECK_CLAUSE,"
            + " t.ENFORCED FROM information_schema.TABLE_CONSTRAINTS t JOIN information_schema.CHECK_CONSTRAINTS c"
            + " ON c.CONSTRAINT_SCHEMA = t.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = t.CONSTRAINT_NAME"
            + " WHERE t.CONSTRAINT_TYPE = 'CHECK' AND ";

    private final MysqlConnection connection;

    DefinitionQueries(MysqlConnection connection) {
        this.connection = connection;
    }

    /** The rows about the tables, as received. */
    record Rows(
            QueryResult tables, QueryResult columns, QueryResult keys, QueryResult foreignKeys, QueryResult checks) {}

    /** Sends the queries; completes on the connection's event loop. */
    CompletableFuture<Rows> ask(Collection<TableName> wanted) {
        Set<String> schemas = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (TableName table : wanted) {
            schemas.add(table.schema());
            names.add(table.table());
        }
        List<CompletableFuture<QueryResult>> answers = List.of(
                connection.query(TABLES + where("", schemas, names)),
                connection.query(COLUMNS + where("", schemas, names)),
                connection.query(KEYS + where("", schemas, names)),
                connection.query(FOREIGN_KEYS + where("k.", schemas, names)),
                connection.query(CHECKS + where("t.", schemas, names)));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> new Rows(
                        answers.get(0).join(),
                        answers.get(1).join(),
                        answers.get(2).join(),
                        answers.get(3).join(),
                        answers.get(4).join()));
    }

    /** The condition for the tables. A single schema is a constant, so that the server finds the tables by its index. */
    private static String where(String alias, Set<String> schemas, Set<String> names) {
        return alias + "TABLE_SCHEMA IN (" + SqlNames.literals(schemas) + ") AND " + alias + "TABLE_NAME IN ("
                + SqlNames.literals(names) + ")";
    }
}
