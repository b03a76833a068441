package io.tributary.compatibility.flink;

import io.tributary.compatibility.connect.ChangeRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.cdc.connectors.mysql.source.MySqlSource;
import org.apache.flink.cdc.connectors.mysql.table.StartupOptions;
import org.apache.flink.cdc.connectors.shaded.org.apache.kafka.connect.data.Field;
import org.apache.flink.cdc.connectors.shaded.org.apache.kafka.connect.data.Struct;
import org.apache.flink.cdc.connectors.shaded.org.apache.kafka.connect.source.SourceRecord;
import org.apache.flink.cdc.debezium.DebeziumDeserializationSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/** Copies the tables of a source by chunks with Flink CDC in a local cluster, and then reads the binlog. It prints an R line for each row. */
public final class FlinkCopy {
    private static final int CHECKPOINT_MILLIS = 500;

    private FlinkCopy() {}

    /**
     * Copies.
     *
     * @param arguments port, user, password; copy to end after the copy, or stream to read up to a row that is inserted into shop.done; schemas;
     *     the number of readers; rows of a chunk
     */
    public static void main(String[] arguments) throws Exception {
        int readers = Integer.parseInt(arguments[5]);
        Configuration configuration = new Configuration();
        configuration.setString("restart-strategy.type", "none");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(readers, configuration);
        environment.enableCheckpointing(CHECKPOINT_MILLIS);
        environment
                .fromSource(source(arguments, readers), WatermarkStrategy.noWatermarks(), "source")
                .setParallelism(readers)
                .map(FlinkCopy::print)
                .returns(Types.STRING)
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(1);
        environment.execute("copy");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static MySqlSource<String> source(String[] arguments, int readers) {
        Properties driver = new Properties();
        driver.setProperty("allowPublicKeyRetrieval", "true");
        driver.setProperty("useSSL", "false");
        return MySqlSource.<String>builder()
                .hostname("127.0.0.1")
                .port(Integer.parseInt(arguments[0]))
                .username(arguments[1])
                .password(arguments[2])
                .databaseList(arguments[4].split(","))
                .tableList("(" + arguments[4].replace(',', '|') + ")\\..*")
                .serverId("4720-" + (4719 + readers))
                .serverTimeZone("UTC")
                .splitSize(Integer.parseInt(arguments[6]))
                .startupOptions(
                        arguments[3].equals("copy") ? StartupOptions.snapshot() : StartupOptions.initial())
                .jdbcProperties(driver)
                .deserializer(new Lines())
                .build();
    }

    private static String print(String line) {
        System.out.println(line + "\nT");
        if (line.startsWith("R\tshop.done\t") && line.contains("\tc\t")) {
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
        return line;
    }

    /** The fields of a struct in order, in maps. */
    private static Map<String, Object> fields(Object struct) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (struct instanceof Struct some) {
            for (Field field : some.schema().fields()) {
                Object value = some.get(field);
                fields.put(field.name(), value instanceof Struct ? fields(value) : value);
            }
        }
        return fields;
    }

    /** A line for each row. */
    private static final class Lines implements DebeziumDeserializationSchema<String> {
        private static final long serialVersionUID = 1;

        @Override
        public void deserialize(SourceRecord record, Collector<String> out) {
            ChangeRecord.of(fields(record.key()), fields(record.value()), record.sourceOffset())
                    .map(ChangeRecord::line)
                    .ifPresent(out::collect);
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }
}
