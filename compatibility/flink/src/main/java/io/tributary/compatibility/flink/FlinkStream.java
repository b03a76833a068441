package io.tributary.compatibility.flink;

import org.apache.flink.cdc.connectors.mysql.table.StartupOptions;

/** Reads the binlog of a source without a copy of its tables, from a place on, with Flink CDC in a local cluster. It prints P, G, R and T lines. */
public final class FlinkStream {
    private FlinkStream() {}

    /**
     * Reads up to a row that is inserted into shop.done.
     *
     * @param arguments port, user, password; schemas; latest, or position with file and position, or gtid with a GTID set, or timestamp with
     *     milliseconds
     */
    public static void main(String[] arguments) throws Exception {
        LocalFlink flink = new LocalFlink(1);
        flink.run(
                flink.source(arguments, arguments[3])
                        .startupOptions(begin(arguments))
                        .deserializer(new ChangeLines(true))
                        .build(),
                FlinkStream::print);
    }

    private static StartupOptions begin(String[] arguments) {
        return switch (arguments[4]) {
            case "position" -> StartupOptions.specificOffset(arguments[5], Long.parseLong(arguments[6]));
            case "gtid" -> StartupOptions.specificOffset(arguments[5]);
            case "timestamp" -> StartupOptions.timestamp(Long.parseLong(arguments[5]));
            default -> StartupOptions.latest();
        };
    }

    private static String print(String line) {
        System.out.println(line);
        if (LocalFlink.isLast(line)) {
            LocalFlink.finish();
        }
        return line;
    }
}
