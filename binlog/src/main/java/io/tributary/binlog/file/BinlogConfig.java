package io.tributary.binlog.file;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The configuration keys of the binlog files and of the stage that writes them. */
public record BinlogConfig(
        @Key(
                value = "binlog.directory",
                byDefault = "binlog",
                about = "Folder of the binlog files; only one node may use it.")
        Path directory,

        @Key(
                value = "binlog.name",
                byDefault = "binlog",
                about = "Name of the binlog files, without the dot and the number.")
        String name,

        @Key(
                value = "binlog.file.size",
                byDefault = "512MiB",
                min = "1KiB",
                max = "1GiB",
                about = "When a binlog file is larger than this, the next cut ends it and a new file begins.")
        ByteSize fileSize,

        @Key(
                value = "binlog.sync",
                byDefault = "always",
                about = "When written bytes are synced to disk: after a batch, every binlog.sync.interval, or never.")
        BinlogSync sync,

        @Key(
                value = "binlog.sync.interval",
                byDefault = "100ms",
                min = "1ms",
                max = "1min",
                about = "Pause between two syncs to disk if binlog.sync is interval; it delays readers.")
        Duration syncInterval,

        @Key(
                value = "binlog.cut.full",
                byDefault = "1s",
                min = "10ms",
                max = "1h",
                about = "How often a cut is written in full, not as the difference from the one before.")
        Duration fullCutInterval,

        @Key(
                value = "binlog.patch.workers",
                byDefault = "1",
                min = "1",
                max = "64",
                about = "Threads that fill in positions and checksums before the single writer writes them.")
        int patchWorkers,

        @Key(
                value = "binlog.ring.memory",
                byDefault = "64MiB",
                min = "1MiB",
                max = "64GiB",
                about = "Memory for bytes that are not written to the binlog files yet.")
        ByteSize ringMemory,

        @Key(
                value = "server.id",
                byDefault = "1000",
                min = "1",
                max = "4294967295",
                about = "Server id of the global binlog; different from the server id of every shard,"
                        + " replica and other Tributary.")
        long serverId,

        @Key(
                value = "cluster.uuid",
                about = "The UUID in the global binlog's GTIDs; if not set, one is made and kept in binlog.directory.")
        Optional<String> clusterUuid,

        @Key(
                value = "serve.version",
                about = "The server version in the binlog files and the greeting. Default: the oldest shard's version"
                        + " with -tributary; for the first file of a Dumper 8.0.36-tributary.")
        Optional<String> serverVersion) {
    /** The version that files contain when no version is known. */
    public static final String UNKNOWN_VERSION = "8.0.36-tributary";

    /** The version that files contain: the configured one, else the learned one, else {@link #UNKNOWN_VERSION}. */
    public String version() {
        return serverVersion.orElse(UNKNOWN_VERSION);
    }

    /** A copy of this configuration with a version that was learned from the shards. */
    public BinlogConfig withVersion(String version) {
        return new BinlogConfig(
                directory,
                name,
                fileSize,
                sync,
                syncInterval,
                fullCutInterval,
                patchWorkers,
                ringMemory,
                serverId,
                clusterUuid,
                Optional.of(version));
    }
}
