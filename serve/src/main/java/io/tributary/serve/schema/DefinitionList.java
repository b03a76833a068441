package io.tributary.serve.schema;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.history.KnownTables;
import io.tributary.serve.sql.SqlRefusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Definitions of tables as rows: schema, table, CREATE TABLE, and the last transaction after which the definition is valid. */
public final class DefinitionList {
    /** Names of the columns. */
    public static final List<String> COLUMNS = List.of("Schema", "Table", "Create_table", "Gtid");

    private DefinitionList() {}

    /**
     * The rows of the tables that a reader may read.
     *
     * @param requested whether a table was requested, by {@code schema.table}
     * @param maxBytes maximum size of all values together
     * @throws SqlRefusal 1153 when they are larger
     */
    public static List<List<String>> rows(
            KnownTables tables, TableFilter reads, Predicate<String> requested, long maxBytes) {
        List<List<String>> rows = new ArrayList<>();
        String gtid = tables.last().map(Gtid::toString).orElse("");
        long[] bytes = {0};
        Predicate<TableName> isShown =
                name -> reads.reads(name.schema(), name.table()) && requested.test(name.toString());
        tables.forEach(isShown, (name, text) -> {
            List<String> row = List.of(name.schema(), name.table(), shown(name, text, reads), gtid);
            for (String value : row) {
                bytes[0] += value.getBytes(StandardCharsets.UTF_8).length;
            }
            if (bytes[0] > maxBytes) {
                throw new SqlRefusal(
                        MysqlError.ER_NET_PACKET_TOO_LARGE,
                        "The definitions are larger than serve.schema.result (" + maxBytes
                                + " bytes); name some tables with LIKE 'schema.table'");
            }
            rows.add(row);
        });
        return rows;
    }

    /** The definition without foreign keys to tables that the reader may not read. */
    private static String shown(TableName name, String text, TableFilter reads) {
        return reads.isAll()
                ? text
                : new CreateTableAnswer(text, name.schema(), name, UnaryOperator.identity(), reads).shown();
    }
}
