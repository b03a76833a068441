package io.tributary.compatibility.debezium;

import io.tributary.compatibility.connect.ChangeRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Reads the binlog of a source by Debezium's embedded engine, and copies its tables by an incremental snapshot while it does, with read.only=true. The
 * signal is a line of a file, or a row that another client inserts into signals.debezium. The source refuses the statement of its heartbeats. It prints a P line with the GTID set at which it began, an R line for each row, and a G line before the rows of each transaction.
 */
public final class DebeziumSnapshotOnRequest {
    private static final String SIGNALS = "signals.debezium";

    private final Path folder;
    private String gtid = "";
    private boolean hasBegun;
    private boolean hasCopied;
    private boolean isDone;

    private DebeziumSnapshotOnRequest(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads up to a row that is inserted into shop.done, and to the end of the copy.
     *
     * @param arguments folder for its own files, in which it makes the file copied at the end of the copy; port, user, password; schemas; the
     *     channel of the signal, file or source
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        String tables = Stream.of(arguments[4].split(","))
                .map(schema -> "\"" + schema + "\\\\..*\"")
                .collect(Collectors.joining(","));
        Path signals = Files.writeString(
                folder.resolve("signals"),
                "{\"id\":\"copy\",\"type\":\"execute-snapshot\",\"data\":{\"data-collections\":[" + tables
                        + "],\"type\":\"incremental\"}}\n");
        boolean isFile = arguments[5].equals("file");
        new Engine(folder, Arrays.asList(arguments).subList(1, 4))
                .with("database.include.list", arguments[4])
                .with("snapshot.mode", "no_data")
                .with("snapshot.locking.mode", "none")
                .with("read.only", "true")
                .with("signal.enabled.channels", arguments[5])
                .with(isFile ? "signal.file" : "signal.data.collection", isFile ? signals.toString() : SIGNALS)
                .with("signal.poll.interval.ms", "500")
                .with("incremental.snapshot.chunk.size", "500")
                .with("heartbeat.interval.ms", "200")
                .with("heartbeat.action.query", "INSERT INTO " + SIGNALS + " VALUES ('beat', 'beat', '')")
                .with("notification.enabled.channels", "sink")
                .with("notification.sink.topic.name", "notifications")
                .run(new DebeziumSnapshotOnRequest(folder)::accept);
    }

    private void accept(SourceRecord record) {
        if (record.topic().equals("notifications")) {
            Struct notification = (Struct) record.value();
            hasCopied |= notification.getString("aggregate_type").startsWith("Incremental")
                    && notification.getString("type").equals("COMPLETED");
            if (hasCopied) {
                mark();
            }
        }
        Engine.row(record).filter(row -> !row.table().equals(SIGNALS)).ifPresent(this::accept);
        if (hasCopied && isDone) {
            Engine.finish();
        }
    }

    private void mark() {
        try {
            Files.writeString(folder.resolve("copied"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        isDone |= !change.isCopied() && change.table().equals("shop.done");
    }
}
