package io.tributary.testkit.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which network namespace a process is in. */
final class Namespaces {
    /** What {@code bin/in-private-network} tells: the namespace from which it entered another. */
    private static final String OUTER = "TRIBUTARY_OUTER_NETWORK";

    private Namespaces() {}

    static Path path(long pid) {
        return Path.of("/proc/" + pid + "/ns/net");
    }

    /** Its name in the kernel. */
    static String of(long pid) throws IOException {
        return Files.readSymbolicLink(path(pid)).toString();
    }

    static String own() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    /** Whether this process was put into another one than that of whoever started it. */
    static boolean isPrivate() {
        String outer = System.getenv(OUTER);
        try {
            return outer != null && !own().equals(outer);
        } catch (IOException e) { // who may not look may not change anything either
            return false;
        }
    }
}
