package io.tributary.faults.kind;

import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fault: the machine of a Dumper crashes. The Dumper is killed, and each binlog file is truncated to the bytes that were written before it was last
 * forced to disk. Anything that a reader was served after that would be lost. Each force is slowed down, so that there are bytes to lose.
 *
 * @param role role of the Dumper
 */
public record LostWrites(Role role) implements Fault {
    private static final Duration SLOW = Duration.ofMillis(40);
    private static final int MOST_BETWEEN = 30;

    @Override
    public String name() {
        return "lost-writes-" + role;
    }

    @Override
    public String words() {
        return "kill -9 of the " + role + ", and its files lose every byte that was not forced to disk";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.disk(cluster, role);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) throws IOException {
        NodeProcess dumper = cluster.nodes(List.of(role)).get(0);
        DumperDisk disk = cluster.disk(dumper).orElseThrow();
        disk.delay(SLOW);
        cluster.awaitMore(1 + injection.random().nextInt(MOST_BETWEEN));
        injection.now();
        dumper.kill9();
        injection.inPlace();
        disk.delay(Duration.ZERO);
        lose(TestCluster.binlogFolder(dumper), disk.forced());
        dumper.launch();
        injection.repaired();
    }

    private static void lose(Path folder, Map<String, Long> forced) throws IOException {
        for (Path file : BinlogFolder.files(folder)) {
            long kept = forced.getOrDefault(file.getFileName().toString(), 0L);
            if (kept < Files.size(file)) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(kept);
                }
            }
        }
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
