package io.tributary.testkit.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the network namespaces of processes. */
final class Namespaces {
    /** The variable that {@code bin/in-private-network} sets: the namespace from which it entered another. */
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

    /** Whether this process is in another namespace than the process that started it. */
    static boolean isPrivate() {
        String outer = System.getenv(OUTER);
        try {
            return outer != null && !own().equals(outer);
        } catch (IOException e) { // without the right to read it, there is no right to change anything either
            return false;
        }
    }
}
