package io.tributary.compatibility.debezium;

import io.tributary.compatibility.connect.ChangeRecord;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Reads a source by Debezium's embedded engine to the workload's last row, and prints R, D and T lines.
 *
 * <p>It begins at a GTID set. Either as after a lost schema history: offsets are there, the tables are asked of the source
 * (snapshot.mode=recovery). Or with a history that holds no table yet: it learns the tables from DDL.
 */
public final class DebeziumReader {
    private String gtid = "";

    private DebeziumReader() {}

    /** @param arguments recovery or history, folder for its own files, port, user, password, file, position, GTID set */
    public static void main(String[] arguments) throws Exception {
        boolean recovers = arguments[0].equals("recovery");
        List<String> login = Arrays.asList(arguments).subList(2, 5);
        Engine engine = new Engine(Path.of(arguments[1]), login)
                .with("snapshot.mode", recovers ? "recovery" : "no_data")
                .with("snapshot.locking.mode", "none")
                .with("database.include.list", "shop,docs")
                .from(arguments[5], arguments[6], arguments[7]);
        if (!recovers) {
            engine.withoutTables(arguments[5], arguments[6], arguments[7]);
        }
        engine.run(new DebeziumReader()::accept);
    }

    private void accept(SourceRecord record) {
        if (record.value() instanceof Struct change && change.schema().field("ddl") != null) {
            System.out.println("D\t" + change.getString("ddl").replaceAll("\\s+", " "));
            return;
        }
        Engine.row(record).ifPresent(this::accept);
    }

    private void accept(ChangeRecord change) {
        if (!change.gtid().equals(gtid) && !gtid.isEmpty()) {
            System.out.println("T");
        }
        gtid = change.gtid();
        System.out.println(change.line());
        if (change.table().equals("shop.done")) {
            System.out.println("T");
            Engine.finish();
        }
    }
}
