package io.tributary.compatibility.debezium;

import io.tributary.compatibility.connect.ChangeRecord;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Copies the tables of a source by Debezium's embedded engine, and then reads the binlog. It prints a P line with the GTID set of the copy, an R
 * line for each row, and a G line before the rows of each transaction.
 */
public final class DebeziumCopy {
    private final boolean copiesOnly;
    private String gtid = "";
    private boolean hasBegun;

    private DebeziumCopy(boolean copiesOnly) {
        this.copiesOnly = copiesOnly;
    }

    /**
     * Copies.
     *
     * @param arguments folder for its own files, port, user, password; copy to end after the copy, or stream to read up to a row that is
     *     inserted into shop.done; schemas; snapshot.mode; snapshot.locking.mode; the GTID set of offsets of an earlier run, or nothing
     */
    public static void main(String[] arguments) throws Exception {
        Engine engine = new Engine(
                        Path.of(arguments[0]), Arrays.asList(arguments).subList(1, 4))
                .with("database.include.list", arguments[5])
                .with("snapshot.mode", arguments[6])
                .with("snapshot.locking.mode", arguments[7]);
        if (arguments.length > 8) {
            engine.from("binlog.000001", "4", arguments[8]).withoutTables("binlog.000001", "4", arguments[8]);
        }
        engine.run(new DebeziumCopy(arguments[4].equals("copy"))::accept);
    }

    private void accept(SourceRecord record) {
        Engine.row(record).ifPresent(this::accept);
    }

    private void accept(ChangeRecord change) {
        if (!hasBegun) {
            hasBegun = true;
            System.out.println("P\t" + change.gtids());
        }
        if (!change.isCopied() && !change.gtid().equals(gtid)) {
            gtid = change.gtid();
            System.out.println("G\t" + gtid);
        }
        System.out.println(change.line());
        if (copiesOnly) {
            System.out.println("T");
        }
        boolean isLast = change.snapshot().equals("last");
        boolean isDone = !change.isCopied() && change.table().equals("shop.done");
        if (copiesOnly ? isLast : isDone) {
            Engine.finish();
        }
    }
}
