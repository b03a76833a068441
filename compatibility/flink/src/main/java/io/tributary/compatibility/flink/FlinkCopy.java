package io.tributary.compatibility.flink;

import org.apache.flink.cdc.connectors.mysql.table.StartupOptions;

/** Copies the tables of a source by chunks with Flink CDC in a local cluster, and then reads the binlog. It prints an R line for each row. */
public final class FlinkCopy {
    private FlinkCopy() {}

    /**
     * Copies.
     *
     * @param arguments port, user, password; copy to end after the copy, or stream to read up to a row that is inserted into shop.done; schemas;
     *     the number of readers; rows of a chunk
     */
    public static void main(String[] arguments) throws Exception {
        LocalFlink flink = new LocalFlink(Integer.parseInt(arguments[5]));
        flink.run(
                flink.source(arguments, arguments[4])
                        .splitSize(Integer.parseInt(arguments[6]))
                        .startupOptions(
                                arguments[3].equals("copy") ? StartupOptions.snapshot() : StartupOptions.initial())
                        .deserializer(new ChangeLines(false))
                        .build(),
                FlinkCopy::print);
        LocalFlink.finish();
    }

    private static String print(String line) {
        System.out.println(line + "\nT");
        if (LocalFlink.isLast(line)) {
            LocalFlink.finish();
        }
        return line;
    }
}
