package io.tributary.compatibility.flink;

import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.cdc.connectors.mysql.source.MySqlSource;
import org.apache.flink.cdc.connectors.mysql.source.MySqlSourceBuilder;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Flink CDC in a local cluster before a source on loopback. */
final class LocalFlink {
    private static final int CHECKPOINT_MILLIS = 500;

    private final int readers;

    LocalFlink(int readers) {
        this.readers = readers;
    }

    /**
     * A source that is not started yet.
     *
     * @param arguments begin with port, user and password
     * @param schemas separated by commas
     */
    MySqlSourceBuilder<String> source(String[] arguments, String schemas) {
        Properties driver = new Properties();
        driver.setProperty("allowPublicKeyRetrieval", "true");
        driver.setProperty("useSSL", "false");
        return MySqlSource.<String>builder()
                .hostname("127.0.0.1")
                .port(Integer.parseInt(arguments[0]))
                .username(arguments[1])
                .password(arguments[2])
                .databaseList(schemas.split(","))
                .tableList("(" + schemas.replace(',', '|') + ")\\..*")
                .serverId("4720-" + (4719 + readers))
                .serverTimeZone("UTC")
                .jdbcProperties(driver);
    }

    /** Gives the lines of a source to a function; returns when the source has ended. */
    void run(MySqlSource<String> source, MapFunction<String, String> print) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("restart-strategy.type", "none");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(readers, configuration);
        environment.enableCheckpointing(CHECKPOINT_MILLIS);
        environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "source")
                .setParallelism(readers)
                .map(print)
                .returns(Types.STRING)
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(1);
        environment.execute("read");
    }

    /** Whether it is the row that is written last, as a change. */
    static boolean isLast(String line) {
        return line.contains("R\tshop.done\t") && line.contains("\tc\t");
    }

    /** Ends the process as a client that has read all. */
    static void finish() {
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
