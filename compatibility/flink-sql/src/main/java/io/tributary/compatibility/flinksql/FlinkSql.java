package io.tributary.compatibility.flinksql;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Runs SQL in a local cluster of Flink and prints the changes that the last statement, a query, yields. */
public final class FlinkSql {
    private FlinkSql() {}

    /**
     * Runs.
     *
     * @param statements each one; the last one is a query. A line is {@code R <kind> <column>|<column>}, with Flink's short names of kinds of changes
     */
    public static void main(String[] statements) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("restart-strategy.type", "none");
        configuration.setString("parallelism.default", "2");
        configuration.setString("table.local-time-zone", "UTC");
        TableEnvironment flink = TableEnvironment.create(EnvironmentSettings.newInstance()
                .inStreamingMode()
                .withConfiguration(configuration)
                .build());
        for (int i = 0; i < statements.length - 1; i++) {
            flink.executeSql(statements[i]);
        }
        try (CloseableIterator<Row> rows =
                flink.executeSql(statements[statements.length - 1]).collect()) {
            while (rows.hasNext()) {
                Row row = rows.next();
                System.out.println("R " + row.getKind().shortString() + " "
                        + IntStream.range(0, row.getArity())
                                .mapToObj(i -> String.valueOf(row.getField(i)))
                                .collect(Collectors.joining("|")));
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
