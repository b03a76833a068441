package io.tributary.backup;

import io.tributary.common.config.ByteSize;
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
                live = true,
                min = "10ms",
                max = "1h",
                about = "Pause after a failure of the backup's store; it doubles with each further one.")
        Duration retry,

        @Key(
                value = "backup.retry.max",
                byDefault = "1min",
                live = true,
                min = "10ms",
                max = "1d",
                about = "The longest pause after failures of the backup's store.")
        Duration retryMax,

        @Key(
                value = "backup.look",
                byDefault = "10s",
                live = true,
                min = "10ms",
                max = "1h",
                about = "How often a Dumper that does not back up itself looks at what another one has brought there.")
        Duration look,

        @Key(
                value = "backup.throttle",
                byDefault = "0B",
                live = true,
                about = "Bytes that go to the backup in a second at most, such as 20MiB; 0B for no limit.")
        ByteSize throttle,

        @Key(
                value = "backup.key.file",
                about =
                        "File of keys, 64 hex digits a line: the first encrypts files in the backup, all of them open; without it files are not encrypted.")
        Optional<Path> keyFile,

        @Key(
                value = "backup.retain.age",
                byDefault = "0s",
                live = true,
                about = "Files whose last transaction is older are taken out of the backup; 0s for never.")
        Duration retainAge,

        @Key(
                value = "backup.retain.size",
                byDefault = "0B",
                live = true,
                about = "The oldest files are taken out of the backup while it is larger than this; 0B for never.")
        ByteSize retainSize,

        @Key(
                value = "backup.serve.disk",
                byDefault = "2GiB",
                min = "1KiB",
                about =
                        "Disk for purged files that are brought back from the backup for readers, below binlog.directory.")
        ByteSize serveDisk) {
    /** The same, and nothing is taken out by age. */
    public BackupConfig withoutRetainAge() {
        return new BackupConfig(
                directory, prefix, retry, retryMax, look, throttle, keyFile, Duration.ZERO, retainSize, serveDisk);
    }
}
