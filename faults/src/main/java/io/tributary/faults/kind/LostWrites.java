package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Site;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The machine crashes: the Dumper is killed, and each binlog file is cut to what had been written when it was last forced to disk.
 * Whatever a reader was served beyond that would be gone. Forcing is slow meanwhile, so that there is something to lose.
 */
public record LostWrites() implements Fault {
    private static final Duration SLOW = Duration.ofMillis(40);
    private static final int MOST_BETWEEN = 30;

    @Override
    public String name() {
        return "lost-writes";
    }

    @Override
    public String words() {
        return "kill -9 of the Dumper, and its files lose every byte that was not forced to disk";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.disk(site);
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        DumperDisk disk = site.disk().orElseThrow();
        disk.delay(SLOW);
        site.awaitMore(1 + strike.random().nextInt(MOST_BETWEEN));
        strike.now();
        site.dumper().kill9();
        disk.delay(Duration.ZERO);
        lose(site.binlogFolder(), disk.forced());
        site.dumper().launch();
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
        site.dumper().awaitHealthy();
    }
}
