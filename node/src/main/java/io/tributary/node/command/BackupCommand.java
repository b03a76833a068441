package io.tributary.node.command;

import io.tributary.backup.Manifest;
import io.tributary.backup.Restore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at a backup, and brings it back. */
@Command(
        name = "backup",
        description = "Lists the files of a backup, checks them, brings them back, or takes old ones out.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            BackupCommand.Files.class,
            BackupCommand.Verify.class,
            BackupCommand.Bring.class,
            BackupCommand.Prune.class
        })
final class BackupCommand {
    /** Lists the files. */
    @Command(name = "list", description = "Lists the files of a backup.", mixinStandardHelpOptions = true)
    static final class Files implements Callable<Integer> {
        @Mixin
        private BackupPlace place;

        @Override
        public Integer call() {
            return place.with((backup, binlog, out) -> {
                List<Manifest.Entry> files = backup.manifest().files();
                out.printf(
                        "%-20s %14s  %-30s %-20s  %-16s  %s%n",
                        "FILE", "BYTES", "TRANSACTIONS", "FIRST COMMIT", "KEY", "SHA-256");
                for (Manifest.Entry each : files) {
                    out.printf(
                            "%-20s %14d  %-30s %-20s  %-16s  %s%n",
                            each.name(),
                            each.size(),
                            transactions(each),
                            time(each),
                            each.key().orElse("none"),
                            each.sha256());
                }
                out.printf(
                        "%d files, %d bytes, cluster %s%n",
                        files.size(),
                        files.stream().mapToLong(Manifest.Entry::size).sum(),
                        backup.cluster());
                files.stream()
                        .skip(Math.max(0, files.size() - 1))
                        .filter(last -> last.firstMicros() > 0)
                        .forEach(last -> out.println("the newest file begins " + ago(last) + " ago"));
                return 0;
            });
        }

        private static String ago(Manifest.Entry file) {
            Duration age = Duration.of(Clock.SYSTEM.epochMicros() - file.firstMicros(), ChronoUnit.MICROS);
            return age.toHours() + " h " + age.toMinutesPart() + " min " + age.toSecondsPart() + " s";
        }

        private static String transactions(Manifest.Entry file) {
            return file.lastGno() < file.firstGno() ? "none" : file.firstGno() + " to " + file.lastGno();
        }

        private static String time(Manifest.Entry file) {
            return file.firstMicros() == 0
                    ? ""
                    : Instant.EPOCH
                            .plus(file.firstMicros(), ChronoUnit.MICROS)
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString();
        }
    }

    /** Checks the files. */
    @Command(
            name = "verify",
            description = "Reads every file of a backup and checks its size and SHA-256.",
            mixinStandardHelpOptions = true)
    static final class Verify implements Callable<Integer> {
        @Mixin
        private BackupPlace place;

        @Override
        public Integer call() {
            return place.with((backup, binlog, out) -> {
                List<Manifest.Entry> files = backup.manifest().files();
                BackupProgress progress = place.progress(out, files);
                int bad = 0;
                for (Manifest.Entry file : files) {
                    try {
                        backup.verify(file, progress);
                    } catch (TributaryException e) {
                        if (e.code() != ErrorCode.BACKUP_CORRUPT) {
                            throw e;
                        }
                        progress.line(e.line());
                        bad++;
                    }
                }
                progress.clear();
                out.println(files.size() + " files of cluster " + backup.cluster() + ", " + bad
                        + " of them damaged or missing");
                return bad == 0 ? 0 : 1;
            });
        }
    }

    /** Brings the files back. */
    @Command(
            name = "restore",
            description = {
                "Brings the binlog files of a backup back into an empty binlog.directory, each checked.",
                "The next start goes on behind the last of them. One that was cut off goes on when it is run again."
            },
            mixinStandardHelpOptions = true)
    static final class Bring implements Callable<Integer> {
        @Mixin
        private BackupPlace place;

        @Override
        public Integer call() {
            return place.with((backup, binlog, out) -> {
                BackupProgress progress = place.progress(out, backup.manifest().files());
                List<String> names = Restore.run(backup, binlog.directory(), progress);
                progress.clear();
                out.println("restored " + names.size() + " files of cluster " + backup.cluster() + " to "
                        + binlog.directory());
                return 0;
            });
        }
    }

    /** Takes old files out. */
    @Command(
            name = "prune",
            description = {
                "Takes the files out of a backup that need not stay by backup.retain.age and backup.retain.size.",
                "A running node does so by itself. The newest file always stays."
            },
            mixinStandardHelpOptions = true)
    static final class Prune implements Callable<Integer> {
        @Mixin
        private BackupPlace place;

        @Option(names = "--dry-run", description = "Only says which files would go.")
        private boolean isDry;

        @Override
        public Integer call() {
            return place.with((backup, binlog, out) -> {
                List<Manifest.Entry> gone = backup.prune(place.config(), Clock.SYSTEM.epochMicros(), isDry);
                gone.forEach(file -> out.println(file.name() + ": " + file.size() + " bytes"));
                out.println((isDry ? "would take out " : "took out ") + gone.size() + " files of cluster "
                        + backup.cluster());
                return 0;
            });
        }
    }
}
