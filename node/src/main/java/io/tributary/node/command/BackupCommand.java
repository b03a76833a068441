package io.tributary.node.command;

import io.tributary.backup.Manifest;
import io.tributary.backup.Restore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.command.output.OutputOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code tributary backup}: lists, checks, restores and prunes a backup. */
@Command(
        name = "backup",
        description = "Lists, checks or restores the files of a backup, or removes old ones.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            BackupCommand.Files.class,
            BackupCommand.Verify.class,
            BackupCommand.RestoreFiles.class,
            BackupCommand.Prune.class
        })
final class BackupCommand {
    /** {@code tributary backup list}. */
    @Command(name = "list", description = "Lists the files of a backup.", mixinStandardHelpOptions = true)
    static final class Files implements Callable<Integer> {
        @Mixin
        private BackupLocation location;

        @Mixin
        private OutputOptions output;

        @Override
        public Integer call() {
            return location.with((backup, binlog, out) -> {
                List<Manifest.Entry> files = backup.manifest().files();
                long bytes = files.stream().mapToLong(Manifest.Entry::size).sum();
                Map<String, Object> page = new LinkedHashMap<>();
                page.put("cluster", backup.cluster());
                page.put("bytes", bytes);
                page.put("files", files.stream().map(Files::facts).toList());
                output.print(
                        page,
                        () -> text(files)
                                + String.format(
                                        "%d files, %d bytes, cluster %s%n", files.size(), bytes, backup.cluster())
                                + newest(files));
                return 0;
            });
        }

        private static Map<String, Object> facts(Manifest.Entry file) {
            boolean hasTransactions = file.firstGno() <= file.lastGno();
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("file", file.name());
            facts.put("bytes", file.size());
            facts.put("first.transaction", hasTransactions ? file.firstGno() : null);
            facts.put("last.transaction", hasTransactions ? file.lastGno() : null);
            facts.put("first.commit", file.firstMicros() == 0 ? null : time(file));
            facts.put("key", file.key().orElse(null));
            facts.put("sha256", file.sha256());
            return facts;
        }

        private static String text(List<Manifest.Entry> files) {
            StringBuilder text = new StringBuilder(String.format(
                    "%-20s %14s  %-30s %-20s  %-16s  %s%n",
                    "FILE", "BYTES", "TRANSACTIONS", "FIRST COMMIT", "KEY", "SHA-256"));
            for (Manifest.Entry each : files) {
                text.append(String.format(
                        "%-20s %14d  %-30s %-20s  %-16s  %s%n",
                        each.name(),
                        each.size(),
                        transactions(each),
                        time(each),
                        each.key().orElse("none"),
                        each.sha256()));
            }
            return text.toString();
        }

        private static String newest(List<Manifest.Entry> files) {
            return files.stream()
                    .skip(Math.max(0, files.size() - 1))
                    .filter(last -> last.firstMicros() > 0)
                    .map(last -> "the first transaction of the newest file was committed " + ago(last) + " ago\n")
                    .findFirst()
                    .orElse("");
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

    /** {@code tributary backup verify}. */
    @Command(
            name = "verify",
            description = "Reads every file of a backup, and checks its size and SHA-256.",
            mixinStandardHelpOptions = true)
    static final class Verify implements Callable<Integer> {
        @Mixin
        private BackupLocation location;

        @Override
        public Integer call() {
            return location.with((backup, binlog, out) -> {
                List<Manifest.Entry> files = backup.manifest().files();
                BackupProgress progress = location.progress(out, files);
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

    /** {@code tributary backup restore}. */
    @Command(
            name = "restore",
            description = {
                "Restores the binlog files of a backup to an empty binlog.directory, and checks each of them.",
                "The next start continues after the last file. Run the command again to continue an interrupted restore."
            },
            mixinStandardHelpOptions = true)
    static final class RestoreFiles implements Callable<Integer> {
        @Mixin
        private BackupLocation location;

        @Override
        public Integer call() {
            return location.with((backup, binlog, out) -> {
                BackupProgress progress =
                        location.progress(out, backup.manifest().files());
                List<String> names = Restore.run(backup, binlog.directory(), progress);
                progress.clear();
                out.println("restored " + names.size() + " files of cluster " + backup.cluster() + " to "
                        + binlog.directory());
                return 0;
            });
        }
    }

    /** {@code tributary backup prune}. */
    @Command(
            name = "prune",
            description = {
                "Removes the files from a backup that backup.retain.age and backup.retain.size do not retain.",
                "A running node does this by itself. The newest file is always retained."
            },
            mixinStandardHelpOptions = true)
    static final class Prune implements Callable<Integer> {
        @Mixin
        private BackupLocation location;

        @Option(names = "--dry-run", description = "Only prints the files that would be removed.")
        private boolean isDry;

        @Override
        public Integer call() {
            return location.with((backup, binlog, out) -> {
                List<Manifest.Entry> removed = backup.prune(location.config(), Clock.SYSTEM.epochMicros(), isDry);
                removed.forEach(file -> out.println(file.name() + ": " + file.size() + " bytes"));
                out.println((isDry ? "would remove " : "removed ") + removed.size() + " files of cluster "
                        + backup.cluster());
                return 0;
            });
        }
    }
}
