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
 * Compares the binlog files of all Dumpers of a cluster, up to the acknowledged position: the bytes must be the same (I8).
 *
 * @param end the position up to which the files were compared, as file and offset
 * @param files how many files of the other Dumpers were compared with the leader's
 */
public record LogCopies(String end, long files) {
    /**
     * Waits until each of the other Dumpers reports the position that the leader reports as acknowledged now, and then compares. Acknowledged bytes
     * must never differ, so there is no retry after a difference.
     *
     * @throws AssertionError when bytes differ
     * @throws IllegalStateException when a Dumper does not reach this position before the limit
     */
    public static LogCopies awaitSame(NodeProcess leader, List<NodeProcess> dumpers, Duration limit) {
        String[] reported = {""};
        Await.until("the leader to report its position", limit, () -> {
            reported[0] = leader.fact("binlog").orElse("");
            return !reported[0].isEmpty();
        });
        String end = reported[0];
        long files = 0;
        for (NodeProcess each : dumpers) {
            if (!folder(each).equals(folder(leader))) {
                files += awaitSame(leader, each, end, limit);
            }
        }
        return new LogCopies(end, files);
    }

    /** Returns how many files were compared. */
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
                    lacks[0] = "it reports " + acknowledged;
                    if (acknowledged.isEmpty() || isBefore(acknowledged.get(), end)) {
                        return false; // its files may end with bytes of an earlier leader that it has yet to truncate
                    }
                    try {
                        compared[0] = compare(own, other, end);
                        return true;
                    } catch (IOException e) { // a file was purged meanwhile: try again
                        lacks[0] = e.toString();
                        return false;
                    }
                });
        return compared[0];
    }

    private static Path folder(NodeProcess dumper) {
        return Path.of(dumper.config().get("binlog.directory"));
    }

    private static boolean isBefore(String position, String other) {
        int files = file(position).compareTo(file(other));
        return files < 0 || files == 0 && offset(position) < offset(other);
    }

    private static String file(String position) {
        return position.substring(0, position.lastIndexOf(':'));
    }

    private static long offset(String position) {
        return Long.parseLong(position.substring(position.lastIndexOf(':') + 1));
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
                throw new AssertionError(copy + " differs from " + file + " at " + differs + ", before " + end
                        + ", which both report as acknowledged");
            }
        }
        return files.size();
    }
}
