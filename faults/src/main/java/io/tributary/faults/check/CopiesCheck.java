package io.tributary.faults.check;

import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** I8: every Dumper has the leader's bytes, up to where the leader's readers may read. */
final class CopiesCheck {
    private CopiesCheck() {}

    /** Waits until the followers have what the leader has now, and compares. */
    static Report run(Site site) throws IOException {
        NodeProcess leader = site.leader();
        String[] end = leader.fact("binlog").orElseThrow().split(":", -1);
        Path own = Site.binlogFolder(leader);
        List<String> wrong = new ArrayList<>();
        long checked = 0;
        for (NodeProcess node : site.dumpers()) {
            Path other = Site.binlogFolder(node);
            awaitAll(site, other.resolve(end[0]), Long.parseLong(end[1]));
            for (Path file : upTo(own, end[0])) {
                String name = file.getFileName().toString();
                long length = name.equals(end[0]) ? Long.parseLong(end[1]) : Files.size(file);
                long differs = Files.mismatch(file, other.resolve(name));
                if (differs >= 0 && differs < length) {
                    wrong.add(other.resolve(name) + " differs from " + file + " at " + differs);
                }
                checked++;
            }
        }
        return new Report("I8 copies", checked, wrong.size(), wrong);
    }

    private static void awaitAll(Site site, Path file, long length) {
        Await.until(
                () -> file + " to have " + length + " bytes" + site.lastLines(),
                Site.LIMIT,
                () -> Files.exists(file) && Files.size(file) >= length);
    }

    private static List<Path> upTo(Path folder, String last) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                    .filter(file -> file.getFileName().toString().compareTo(last) <= 0)
                    .sorted()
                    .toList();
        }
    }
}
