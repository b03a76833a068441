package io.tributary.compatibility;

import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Something that a client reads: Tributary, or the real server beside it.
 *
 * @param half where the second half of the workload begins, the same transactions at both sources; no table changes behind it
 * @param allGtids what is executed now
 * @param binlogs the folder in which it keeps its files
 * @param folder for what clients write, empty for each
 */
record Source(String name, int port, MysqlUser user, Place half, String allGtids, Path binlogs, Path folder) {
    static final String FIRST_FILE = "binlog.000001";
    static final String HOST = "127.0.0.1";

    /**
     * A place in a source's binlog.
     *
     * @param gtids of all transactions before it
     * @param second since 1970: everything before the place was committed earlier, everything behind it not earlier
     */
    record Place(String gtids, String file, long position, long second) {}

    /** Its newest binlog file, where it keeps them. */
    Path newestFile() throws IOException {
        try (Stream<Path> files = Files.list(binlogs)) {
            return files.filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
