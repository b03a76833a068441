package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All Dumpers of a cluster have the same bytes in their files, up to where readers may read (I8).
 *
 * @param end up to where that is, as file and offset
 * @param files how many files of others were compared with the leader's
 */
public record LogCopies(String end, long files) {
    /**
     * Waits until each of the others calls acknowledged what the leader calls so now, and compares then: bytes that differ there
     * must never have differed, so they are not waited for.
     *
     * @throws AssertionError when bytes differ
     * @throws IllegalStateException when a Dumper does not come as far before the limit
     */
    public static LogCopies awaitSame(NodeProcess leader, List<NodeProcess> dumpers, Duration limit) {
        String[] said = {""};
        Await.until("the leader to say how far it is", limit, () -> {
            said[0] = leader.fact("binlog").orElse("");
            return !said[0].isEmpty();
        });
        String end = said[0];
        long files = 0;
        for (NodeProcess each : dumpers) {
            if (!folder(each).equals(folder(leader))) {
                files += awaitSame(leader, each, end, limit);
            }
        }
        return new LogCopies(end, files);
    }

    /** Answers how many files were compared. */
    private static long awaitSame(NodeProcess leader, NodeProcess follower, String end, Duration limit) {
        Path own = folder(leader);
        Path other = folder(follower);
        String[] lacks = {""};
        long[] compared = {0};
        Await.until(
                () -> other + " to have the files of " + own + " up to " + end + ": " + lacks[0] + "\n"
                        + follower.lastLines(),
                limit,
                () -> {
                    Optional<String> acknowledged = follower.fact("binlog");
                    lacks[0] = "it says " + acknowledged;
                    if (acknowledged.isEmpty() || isBefore(acknowledged.get(), end)) {
                        return false; // what it has may be a tail of an earlier leader's that it still has to cut off
                    }
                    try {
                        compared[0] = compare(own, other, end);
                        return true;
                    } catch (IOException e) { // purged meanwhile: looked at again
                        lacks[0] = e.toString();
                        return false;
                    }
                });
        return compared[0];
    }

    private static Path folder(NodeProcess dumper) {
        return Path.of(dumper.config().get("binlog.directory"));
    }

    private static boolean isBefore(String place, String other) {
        int files = file(place).compareTo(file(other));
        return files < 0 || files == 0 && offset(place) < offset(other);
    }

    private static String file(String place) {
        return place.substring(0, place.lastIndexOf(':'));
    }

    private static long offset(String place) {
        return Long.parseLong(place.substring(place.lastIndexOf(':') + 1));
    }

    private static long compare(Path own, Path other, String end) throws IOException {
        List<Path> files = BinlogReader.ofFolder(own).files().stream()
                .filter(file -> file.getFileName().toString().compareTo(file(end)) <= 0)
                .toList();
        for (Path file : files) {
            Path copy = other.resolve(file.getFileName());
            long wanted = file.getFileName().toString().equals(file(end)) ? offset(end) : Files.size(file);
            long differs = Files.mismatch(file, copy);
            if (differs >= 0 && differs < wanted) {
                throw new AssertionError(copy + " differs from " + file + " at " + differs + ", below " + end
                        + ", which both call acknowledged");
            }
        }
        return files.size();
    }
}
