package io.tributary.node.command.support;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.config.EffectiveSetting;
import io.tributary.common.config.Secret;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.command.client.AdminClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.help.Version;
import io.tributary.node.command.output.FactsText;
import io.tributary.node.role.NodeConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code tributary support}: writes an archive with status, metrics, configuration, logs and stacks of a node. */
@Command(
        name = "support",
        description = {
            "Writes one zip archive for the search of a problem: status, metrics, transactions and schema changes in progress, the",
            "configuration without secrets, the newest log lines, the stacks of all threads, versions, and the list of binlog files.",
            "Passwords are replaced by ***. It contains names of hosts, schemas and tables, and texts of DDL statements, but no rows.",
            "Works for a stopped node too; what is missing then is listed in README.txt of the archive."
        },
        mixinStandardHelpOptions = true)
public final class SupportCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /** The pages of a running node, by the names of the files. */
    private static final Map<String, String> PAGES = Map.of(
            "status.json", "/status",
            "status.txt", "/status?as=text",
            "metrics.txt", "/metrics",
            "transactions.json", "/xa",
            "schema-changes.json", "/ddl",
            "shard-request.txt", "/shards",
            "threads.txt", "/threads",
            "config-running.json", "/config");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "ARCHIVE",
            description = "The archive to write. Default: tributary-support-TIME.zip in the working directory.")
    private Path target;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "A log file whose end is added; may be repeated. The newest lines of a running node are added anyway.")
    private List<Path> logs = List.of();

    @Override
    public Integer call() throws InterruptedException {
        Instant now = Instant.EPOCH.plus(Clock.SYSTEM.epochMicros(), ChronoUnit.MICROS);
        Path archive = target == null ? Path.of("tributary-support-" + TIME.format(now) + ".zip") : target;
        Path path = file.path();
        List<Secret> secrets = new ArrayList<>();
        SupportArchive made;
        try {
            Config config = file.read(Map.of());
            secrets.addAll(config.secrets());
            made = new SupportArchive(new Redaction(secrets));
            made.add("config-file.txt", () -> FactsText.table(rows(config), "KEY", "VALUE", "FROM"));
            made.add("binlog-files.txt", () -> files(config));
        } catch (TributaryException e) {
            made = new SupportArchive(new Redaction(secrets));
            made.add("config-file.txt", e::line);
        }
        addNode(made);
        made.add("versions.txt", () -> FactsText.of(Version.facts()));
        made.add("machine.txt", SupportCommand::machine);
        for (Path log : logs) {
            made.addEnd("log-" + log.getFileName(), () -> end(log));
        }
        long bytes = made.write(
                archive.toAbsolutePath(),
                "support archive of tributary " + Version.text() + ", made at " + now.truncatedTo(ChronoUnit.SECONDS)
                        + " with " + path.toAbsolutePath() + "\nfiles and their characters:\n");
        PrintWriter out = spec.commandLine().getOut();
        out.println("wrote " + archive.toAbsolutePath() + ", " + bytes + " bytes, without passwords");
        made.missing().forEach((name, why) -> out.println("missing: " + name + ": " + why));
        out.flush();
        return 0;
    }

    private void addNode(SupportArchive made) throws InterruptedException {
        AdminClient admin;
        try {
            admin = new AdminClient(file);
            admin.getAllowed("/health");
        } catch (TributaryException e) { // one line instead of one for each page
            made.add("node", () -> {
                throw e;
            });
            return;
        }
        for (Map.Entry<String, String> page : new TreeMap<>(PAGES).entrySet()) {
            made.add(page.getKey(), () -> admin.body(page.getValue()));
        }
        made.addEnd("log.txt", () -> admin.body("/log"));
    }

    private static List<Map<String, Object>> rows(Config config) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (EffectiveSetting setting : config.settings()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("key", setting.key());
            row.put("value", setting.value());
            row.put("from", setting.origin());
            rows.add(row);
        }
        return rows;
    }

    /** Names, sizes and times of the files in the binlog's folder; none of their content. */
    private static String files(Config config) throws IOException {
        if (!config.get(NodeConfig.class).keepsFiles()) {
            return "this node keeps no binlog\n";
        }
        Path folder = config.get(BinlogConfig.class).directory();
        List<Map<String, Object>> rows = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.sorted().toList()) {
                BasicFileAttributes facts = Files.readAttributes(entry, BasicFileAttributes.class);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("file", entry.getFileName().toString());
                row.put("bytes", facts.size());
                row.put("changed", facts.lastModifiedTime().toString());
                rows.add(row);
            }
        }
        FileStore disk = Files.getFileStore(folder);
        return folder.toAbsolutePath() + "\n" + FactsText.table(rows, "FILE", "BYTES", "CHANGED") + "disk: "
                + disk.getUsableSpace() + " bytes free of " + disk.getTotalSpace() + "\n";
    }

    private static String machine() throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("processors", Runtime.getRuntime().availableProcessors());
        StringBuilder text = new StringBuilder(FactsText.of(facts));
        for (Path each : List.of(Path.of("/proc/meminfo"), Path.of("/proc/loadavg"))) {
            if (Files.isReadable(each)) {
                text.append('\n').append(each).append(":\n").append(Files.readString(each));
            }
        }
        return text.toString();
    }

    /** The last bytes of a file, from the beginning of a line. */
    private static String end(Path log) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, opened.length() - SupportArchive.MOST_CHARS);
            byte[] bytes = new byte[(int) (opened.length() - from)];
            opened.seek(from);
            opened.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        }
    }
}
