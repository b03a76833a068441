package io.tributary.backup;

import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The keys of the backup. */
public record BackupConfig(
        @Key(
                value = "backup.directory",
                about =
                        "Folder to which finished binlog files are copied, on another disk; without it or a bucket there is no backup.")
        Optional<Path> directory,

        @Key(
                value = "backup.prefix",
                byDefault = "tributary",
                about = "Name below which the clusters' files stand in the backup.")
        String prefix,

        @Key(
                value = "backup.retry",
                byDefault = "10s",
                min = "10ms",
                max = "1h",
                about = "Pause after a failure of the backup's store.")
        Duration retry) {}
