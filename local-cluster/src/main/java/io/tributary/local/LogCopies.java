package io.tributary.local;

import io.tributary.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Whether all Dumpers of a cluster have the same bytes in their files, up to where readers may read (I8). */
public final class LogCopies {
    private LogCopies() {}

    /** Waits until all have the bytes that the leader has now; answers up to where that is. */
    public static String awaitSame(NodeProcess leader, List<NodeProcess> dumpers, Duration limit) {
        String end = leader.fact("binlog").orElseThrow();
        int colon = end.lastIndexOf(':');
        String last = end.substring(0, colon);
        long length = Long.parseLong(end.substring(colon + 1));
        Path own = folder(leader);
        for (NodeProcess each : dumpers) {
            Path other = folder(each);
            Await.until(
                    () -> "the files of " + other + " to be those of " + own + " up to " + end + "; "
                            + each.lastLines(),
                    limit,
                    () -> hasSame(own, other, last, length));
        }
        return end;
    }

    private static Path folder(NodeProcess dumper) {
        return Path.of(dumper.config().get("binlog.directory"));
    }

    private static boolean hasSame(Path own, Path other, String last, long length) {
        try (Stream<Path> files = Files.list(own)) {
            for (Path file : files.filter(path -> path.getFileName().toString().matches("binlog\\.\\d+"))
                    .toList()) {
                String name = file.getFileName().toString();
                long wanted = name.equals(last) ? length : name.compareTo(last) < 0 ? Files.size(file) : 0;
                Path copy = other.resolve(name);
                if (wanted > 0 && (!Files.exists(copy) || !isSame(file, copy, wanted))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) { // purged, or cut off, meanwhile: looked at again
            return false;
        }
    }

    private static boolean isSame(Path one, Path other, long length) throws IOException {
        long differs = Files.mismatch(one, other);
        return differs < 0 || differs >= length;
    }
}
