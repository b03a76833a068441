package io.tributary.binlog.write;

import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.PurgeConfig;
import io.tributary.binlog.PurgeStage;
import io.tributary.binlog.TaskStream;
import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A process that writes binlog files to a disk, and prints its metrics after each step: {@link DiskAlertsTest} gives it a disk of its own. */
final class FilledDisk {
    static final String END = "# end of a step";
    private static final int ROW_BYTES = 1 << 20;

    private FilledDisk() {}

    /** @param args the folder, the number of steps, and the MiB that each step writes */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        TaskStream task = new TaskStream(1, Optional.empty());
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder));
                Metrics metrics = new Metrics();
                PurgeStage purge = new PurgeStage(
                        dumper.files(),
                        () -> new PurgeConfig(Duration.ZERO, new ByteSize(0), new ByteSize(0)),
                        PurgeStage.Disk.of(folder),
                        metrics,
                        dumper.clock)) {
            print(metrics);
            for (int step = 0; step < Integer.parseInt(args[1]); step++) {
                dumper.put(task.large(Integer.parseInt(args[2]), ROW_BYTES, ROW_BYTES));
                dumper.put(task.cut());
                dumper.run();
                purge.doWork();
                print(metrics);
            }
        }
    }

    private static void print(Metrics metrics) {
        System.out.println(metrics.scrape());
        System.out.println(END);
    }
}
