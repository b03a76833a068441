package io.tributary.dumper;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The keys of the binlog files and of the stage that writes them. */
public record BinlogConfig(
        @Key(
                value = "binlog.directory",
                byDefault = "binlog",
                about = "Folder of the binlog files; one node alone uses it.")
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
                about = "Past this size a new binlog file begins, after the next cut.")
        ByteSize fileSize,

        @Key(
                value = "binlog.sync",
                byDefault = "always",
                about =
                        "When written bytes are forced to disk: after each batch, every binlog.sync.interval, or never.")
        BinlogSync sync,

        @Key(
                value = "binlog.sync.interval",
                byDefault = "100ms",
                min = "1ms",
                max = "1min",
                about = "Pause between two forces to disk where binlog.sync is interval; readers see it as delay.")
        Duration syncInterval,

        @Key(
                value = "binlog.cut.full",
                byDefault = "1s",
                min = "10ms",
                max = "1h",
                about = "How often a cut is written in full, not as what changed since the one before.")
        Duration fullCutInterval,

        @Key(
                value = "binlog.patch.workers",
                byDefault = "1",
                min = "1",
                max = "64",
                about = "Threads that fill in positions and checksums before the one writer.")
        int patchWorkers,

        @Key(
                value = "binlog.ring.memory",
                byDefault = "64MiB",
                min = "1MiB",
                max = "64GiB",
                about = "Memory for bytes that are on their way to the binlog files.")
        ByteSize ringMemory,

        @Key(
                value = "server.id",
                byDefault = "1000",
                min = "1",
                max = "4294967295",
                about = "The server id of the global binlog; differs from that of every replica.")
        long serverId,

        @Key(
                value = "cluster.uuid",
                about = "The UUID in the global binlog's GTIDs; without it one is made and kept in binlog.directory.")
        Optional<String> clusterUuid,

        @Key(
                value = "serve.version",
                about = "The server version that the binlog files and the greeting name; none: the oldest shard's with"
                        + " -tributary, of a Dumper's first file 8.0.36-tributary.")
        Optional<String> serverVersion) {
    /** What files name where nothing says their version. */
    public static final String UNKNOWN_VERSION = "8.0.36-tributary";

    /** What the files name: the configured version, else the learned one, else a usual one. */
    public String version() {
        return serverVersion.orElse(UNKNOWN_VERSION);
    }

    /** The same with a version that was learned. */
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
