package io.tributary.backup;

import io.tributary.common.config.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Configurations for tests, with pauses from 10 s to one minute. */
public final class BackupConfigs {
    private long throttle;
    private Optional<Path> keyFile = Optional.empty();
    private Duration age = Duration.ZERO;
    private long bytes;

    BackupConfigs throttle(long bytesPerSecond) {
        throttle = bytesPerSecond;
        return this;
    }

    public BackupConfigs keyFile(Path file) {
        keyFile = Optional.of(file);
        return this;
    }

    BackupConfigs retain(Duration atMost, long atMostBytes) {
        age = atMost;
        bytes = atMostBytes;
        return this;
    }

    public BackupConfig config() {
        return new BackupConfig(
                Optional.empty(),
                "tributary",
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5),
                new ByteSize(throttle),
                keyFile,
                age,
                new ByteSize(bytes),
                new ByteSize(1 << 20));
    }
}
