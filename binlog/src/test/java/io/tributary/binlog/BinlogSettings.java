package io.tributary.binlog;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.common.config.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Configurations of tests. */
public record BinlogSettings(Path folder, long fileSize, BinlogSync sync, int patchers, long memory) {
    public static final String UUID = "11111111-2222-3333-4444-555555555555";

    public static BinlogSettings in(Path folder) {
        return new BinlogSettings(folder, 512 << 20, BinlogSync.NEVER, 1, 64 << 20);
    }

    public BinlogSettings fileSize(long bytes) {
        return new BinlogSettings(folder, bytes, sync, patchers, memory);
    }

    public BinlogSettings sync(BinlogSync how) {
        return new BinlogSettings(folder, fileSize, how, patchers, memory);
    }

    public BinlogSettings patchers(int count) {
        return new BinlogSettings(folder, fileSize, sync, count, memory);
    }

    public BinlogSettings memory(long bytes) {
        return new BinlogSettings(folder, fileSize, sync, patchers, bytes);
    }

    public BinlogConfig config() {
        return new BinlogConfig(
                folder,
                "binlog",
                new ByteSize(fileSize),
                sync,
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                patchers,
                new ByteSize(memory),
                1000,
                Optional.of(UUID),
                Optional.of("8.0.36-tributary"));
    }
}
