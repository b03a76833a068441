package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
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
 * The machine crashes: the Dumper is killed, and each binlog file is cut to what had been written when it was last forced to disk.
 * Whatever a reader was served beyond that would be gone. Forcing is slow meanwhile, so that there is something to lose.
 *
 * @param role of the Dumper
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
    public Optional<String> lacks(Site site) {
        return Needs.disk(site, role);
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        NodeProcess dumper = site.nodes(List.of(role)).get(0);
        DumperDisk disk = site.disk(dumper).orElseThrow();
        disk.delay(SLOW);
        site.awaitMore(1 + strike.random().nextInt(MOST_BETWEEN));
        strike.now();
        dumper.kill9();
        strike.inPlace();
        disk.delay(Duration.ZERO);
        lose(Site.binlogFolder(dumper), disk.forced());
        dumper.launch();
        strike.healed();
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
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
