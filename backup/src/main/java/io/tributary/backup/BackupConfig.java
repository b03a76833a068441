package io.tributary.backup;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The configuration keys of the backup. */
public record BackupConfig(
        @Key(
                value = "backup.directory",
                about = "Folder to which finished binlog files are copied, on another disk; if neither"
                        + " this key nor a bucket is set, there is no backup.")
        Optional<Path> directory,

        @Key(
                value = "backup.prefix",
                byDefault = "tributary",
                about = "Name of the folder or key prefix under which the files of all clusters are"
                        + " stored in the backup.")
        String prefix,

        @Key(
                value = "backup.retry",
                byDefault = "10s",
                live = true,
                min = "10ms",
                max = "1h",
                about = "Pause after a failure of the backup store; it doubles after each further failure.")
        Duration retry,

        @Key(
                value = "backup.retry.max",
                byDefault = "1min",
                live = true,
                min = "10ms",
                max = "1d",
                about = "Longest pause after failures of the backup store.")
        Duration retryMax,

        @Key(
                value = "backup.poll",
                formerly = "backup.look",
                byDefault = "10s",
                live = true,
                min = "10ms",
                max = "1h",
                about = "How often a Dumper that does not back up itself reads which files another Dumper has"
                        + " backed up.")
        Duration poll,

        @Key(
                value = "backup.throttle",
                byDefault = "0B",
                live = true,
                about = "Maximum bytes per second that are sent to the backup, such as 20MiB; 0B: no limit.")
        ByteSize throttle,

        @Key(
                value = "backup.key.file",
                about = "File of encryption keys, 64 hex digits per line: the first key encrypts files"
                        + " in the backup, every key can decrypt; not set: files are not encrypted.")
        Optional<Path> keyFile,

        @Key(
                value = "backup.retain.age",
                byDefault = "0s",
                live = true,
                about = "Files whose last transaction is older than this are deleted from the backup; 0s: never.")
        Duration retainAge,

        @Key(
                value = "backup.retain.size",
                byDefault = "0B",
                live = true,
                about = "The oldest files are deleted from the backup while the backup is larger than"
                        + " this; 0B: never.")
        ByteSize retainSize,

        @Key(
                value = "backup.serve.disk",
                byDefault = "2GiB",
                min = "1KiB",
                about = "Disk space for purged files that are copied back from the backup for readers,"
                        + " in binlog.directory.")
        ByteSize serveDisk) {
    /** The same configuration, but nothing is removed by age. */
    public BackupConfig withoutRetainAge() {
        return new BackupConfig(
                directory, prefix, retry, retryMax, poll, throttle, keyFile, Duration.ZERO, retainSize, serveDisk);
    }
}
