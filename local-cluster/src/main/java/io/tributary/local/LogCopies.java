package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * All Dumpers of a cluster have the same bytes in their files, up to where readers may read (I8).
 *
 * @param end up to where that is, as file and offset
 * @param files how many files of others were compared with the leader's
 */
public record LogCopies(String end, long files) {
    /** Waits until all have the bytes that the leader has now; fails with what differs. */
    public static LogCopies awaitSame(NodeProcess leader, List<NodeProcess> dumpers, Duration limit) {
        String end = leader.fact("binlog").orElseThrow();
        Path own = folder(leader);
        long files = 0;
        for (NodeProcess each : dumpers) {
            Path other = folder(each);
            long[] compared = {0};
            List<String> lacks = new ArrayList<>();
            Await.until(
                    () -> "the files of " + other + " to be those of " + own + " up to " + end + ": " + lacks + "\n"
                            + each.lastLines(),
                    limit,
                    () -> {
                        lacks.clear();
                        compared[0] = compare(own, other, end, lacks);
                        return lacks.isEmpty();
                    });
            files += compared[0];
        }
        return new LogCopies(end, files);
    }

    private static Path folder(NodeProcess dumper) {
        return Path.of(dumper.config().get("binlog.directory"));
    }

    /** Answers how many files were compared; what is read at all is read only when nothing is lacking at the end. */
    private static long compare(Path own, Path other, String end, List<String> lacks) {
        int colon = end.lastIndexOf(':');
        Path last = other.resolve(end.substring(0, colon));
        long length = Long.parseLong(end.substring(colon + 1));
        try {
            if (!Files.exists(last) || Files.size(last) < length) {
                lacks.add(last.getFileName() + " is shorter than " + length);
                return 0;
            }
            List<Path> files = BinlogReader.ofFolder(own).files().stream()
                    .filter(file -> file.getFileName().compareTo(last.getFileName()) <= 0)
                    .toList();
            for (Path file : files) {
                boolean isLast = file.getFileName().equals(last.getFileName());
                long differs = Files.mismatch(file, other.resolve(file.getFileName()));
                if (differs >= 0 && differs < (isLast ? length : Files.size(file))) {
                    lacks.add(file.getFileName() + " differs at " + differs);
                }
            }
            return files.size();
        } catch (IOException e) { // purged, or cut off, meanwhile: looked at again
            lacks.add(e.toString());
            return 0;
        }
    }
}
