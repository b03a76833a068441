package io.tributary.compatibility.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.from_json;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.StructType;

/** Reads a topic in debezium-json without schemas with Spark Structured Streaming in this process, to the present end, and prints its rows. */
public final class SparkStream {
    private static final String HEADER = "CAST(element_at(filter(headers, header -> header.key = '%s'), 1).value AS STRING)";

    private SparkStream() {}

    /**
     * Reads.
     *
     * @param arguments addresses of the brokers; topic; the columns as in SQL, such as {@code id BIGINT, name STRING}; a folder for checkpoints. A line is
     *     {@code R <operation> <gtid> <row> <columns before it> > <columns after it>}, columns with | between them
     */
    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.session.timeZone", "UTC")
                .getOrCreate();
        Dataset<Row> messages = spark.readStream()
                .format("kafka")
                .option("kafka.bootstrap.servers", arguments[0])
                .option("subscribe", arguments[1])
                .option("startingOffsets", "earliest")
                .option("kafka.isolation.level", "read_committed")
                .option("includeHeaders", "true")
                .load();
        StructType columns = StructType.fromDDL(arguments[2]);
        StructType message = new StructType().add("op", "string").add("before", columns).add("after", columns);
        Dataset<Row> rows = messages
                .select(
                        from_json(col("value").cast("string"), message).as("message"),
                        header("gtid"),
                        header("row"),
                        col("partition"),
                        col("offset"))
                .filter(col("message.op").isNotNull());
        VoidFunction2<Dataset<Row>, Long> print = (batch, id) -> batch.orderBy("partition", "offset")
                .collectAsList()
                .forEach(SparkStream::print);
        rows.writeStream()
                .trigger(Trigger.AvailableNow())
                .option("checkpointLocation", arguments[3])
                .foreachBatch(print)
                .start()
                .awaitTermination();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static Column header(String name) {
        return expr(String.format(HEADER, name)).as(name);
    }

    private static void print(Row row) {
        Row message = row.getStruct(0);
        System.out.println("R " + message.getString(0) + " " + row.getString(1) + " " + row.getString(2) + " "
                + text(message.getStruct(1)) + " > " + text(message.getStruct(2)));
    }

    private static String text(Row columns) {
        if (columns == null) {
            return "-";
        }
        List<String> texts = IntStream.range(0, columns.size())
                .mapToObj(i -> String.valueOf(columns.get(i)))
                .collect(Collectors.toList());
        return String.join("|", texts);
    }
}
