package io.tributary.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes docs/compatibility.md. */
final class CompatibilityPage {
    private static final int LONGEST = 260;
    private static final String HEAD = """
            # Clients that read Tributary's binlog

            Written by `bin/matrix` (`mvn verify -Pmatrix`): each client reads the same seeded workload from Tributary in front of two shards, and from one real
            server of the shards' version that got the same transactions. The workload: every common column type, DDL, XA over both shards, JSON, a row of 17 MiB.
            Each client reads to its last row. "The same from both" means: the same transactions with the same rows, as this client shows them, and the changes of
            each row in the same order. A line whose client stops before the real server too says so, with its words.

            Lines "under load": the client copies the tables of two shards from Tributary (`serve.select=true`) while sessions write the shards, also with XA over both shards
            that moves rows between them, and then reads the binlog. "Every row once, then the stream" means what the second table says; it is compared with the rows of the
            shards at the end. A row that moves to the other shard during the copy may be copied twice or not at all; its changes follow in the stream.
            A client that begins without a copy is checked for every transaction from there on.

            Debezium, Flink CDC, canal, Maxwell, the two taps of Singer, python-mysql-replication and PyMySQL are the newest that Maven Central and PyPI had on the day of the run, MySQL 9 and MariaDB those of
            Debian; the other libraries are of the versions that the project pins, the other servers those that the tests can unpack.
            What each is set to, and what of its reading is compared, stands in the second table; what to set in daily use, in [clients.md](clients.md).

            """;

    private CompatibilityPage() {}

    static void write(Path file, List<Line> lines) throws IOException {
        StringBuilder page = new StringBuilder(HEAD)
                .append("| client | version | reads | shards | verdict | what was read |\n")
                .append("|---|---|---|---|---|---|\n");
        Set<List<String>> settings = new LinkedHashSet<>();
        for (Line line : lines) {
            Client client = line.client();
            row(
                    page,
                    List.of(
                            client.name(),
                            line.version(),
                            client.mode(),
                            line.shards(),
                            line.verdict().words(),
                            line.read()));
            settings.add(
                    List.of(client.name(), client.settings(), client.compared().words()));
        }
        page.append("\n## Settings\n\n| client | set to | compared |\n|---|---|---|\n");
        settings.forEach(cells -> row(page, cells));
        Files.writeString(file, page);
    }

    private static void row(StringBuilder page, List<String> cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** On one line, without what differs from run to run. */
    static String plain(String text) {
        String plain = text.replaceAll("\\s+", " ")
                .replace("|", "\\|")
                .replaceAll("127\\.0\\.0\\.1:\\d+", "the source")
                .replaceAll("'\\w+@the source'", "the source")
                .replaceAll("/\\S*/(\\S+)", "$1");
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "..." : plain;
    }
}
