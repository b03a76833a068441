package io.tributary.node.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identity of a member's process, for the next process with the same name: if both run on one machine, the next one sees that the earlier one is
 * gone, and does not wait for the end of its session. Known on Linux only.
 *
 * @param machine changes at each boot (<a href="https://man7.org/linux/man-pages/man4/random.4.html">boot_id</a>)
 * @param namespace of the process number; each container has its own
 * @param pid the process number
 */
record ProcessIdentity(String machine, String namespace, long pid) {
    private static final Path MACHINE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final long FIRST = 1;

    /** This process; empty if it cannot be determined. */
    static Optional<ProcessIdentity> own() {
        try {
            String machine = Files.readString(MACHINE).strip();
            String namespace = Files.readSymbolicLink(NAMESPACE).toString();
            return Optional.of(new ProcessIdentity(
                    machine, namespace, ProcessHandle.current().pid()));
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return Optional.empty();
        }
    }

    /** Parses the form of {@link #toString}; empty for any other text. */
    static Optional<ProcessIdentity> parse(String text) {
        String[] parts = text.split(" ", -1);
        try {
            return parts.length == 3
                    ? Optional.of(new ProcessIdentity(parts[0], parts[1], Long.parseLong(parts[2])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether this process is certainly gone, as seen from another process that runs now. A machine may hide the processes of other users: then
     * process 1 is not visible either.
     */
    boolean isGoneFor(ProcessIdentity other) {
        boolean isVisible = machine.equals(other.machine) && namespace.equals(other.namespace);
        boolean seesAll = ProcessHandle.of(FIRST).isPresent();
        return isVisible
                && (pid == other.pid || seesAll && ProcessHandle.of(pid).isEmpty());
    }

    @Override
    public String toString() {
        return machine + " " + namespace + " " + pid;
    }
}
