package io.tributary.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes docs/compatibility.md. */
final class CompatibilityPage {
    private static final int LONGEST = 220;
    private static final String HEAD = """
            # Clients that read Tributary's binlog

            Written by `mvn verify -Pmatrix`: each client reads the same seeded workload from Tributary in front of two shards, and from one real
            MySQL server that got the same transactions. The workload: every common column type, DDL, XA over both shards, JSON, a row of 17 MiB. "The same from
            both" means: the same transactions with the same rows, as this client shows them, and the changes of each row in the same order.
            For a replica the rows are those of its tables at the end. A line whose client stops before the real server too says so, with its words.

            """;

    private CompatibilityPage() {}

    static void write(Path file, List<Line> lines) throws IOException {
        StringBuilder page = new StringBuilder(HEAD)
                .append("| client | version | reads | shards | verdict | what was read |\n")
                .append("|---|---|---|---|---|---|\n");
        for (Line line : lines) {
            page.append("| ").append(line.client());
            for (String cell : List.of(
                    line.version(), line.mode(), line.shards(), line.verdict().words(), plain(line.read()))) {
                page.append(" | ").append(cell);
            }
            page.append(" |\n");
        }
        Files.writeString(file, page);
    }

    /** On one line, without what differs from run to run. */
    private static String plain(String text) {
        String plain = text.replaceAll("\\s+", " ")
                .replace("|", "\\|")
                .replaceAll("127\\.0\\.0\\.1:\\d+", "the source")
                .replaceAll("'\\w+@the source'", "the source")
                .replaceAll("/\\S*/(\\S+)", "$1");
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "..." : plain;
    }
}
