package io.tributary.node.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which process a member is, for the next one of its name: where both run on one machine, that one sees that the earlier is gone, and need not
 * wait until its session has ended. Known on Linux only.
 *
 * @param machine changes when it starts (<a href="https://man7.org/linux/man-pages/man4/random.4.html">boot_id</a>)
 * @param namespace in which the process has its number: another container's is another one
 */
record ProcessMark(String machine, String namespace, long pid) {
    private static final Path MACHINE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final long FIRST = 1;

    /** This process; empty where that cannot be told. */
    static Optional<ProcessMark> own() {
        try {
            String machine = Files.readString(MACHINE).strip();
            String namespace = Files.readSymbolicLink(NAMESPACE).toString();
            return Optional.of(
                    new ProcessMark(machine, namespace, ProcessHandle.current().pid()));
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return Optional.empty();
        }
    }

    /** As {@link #toString} has it; empty for anything else. */
    static Optional<ProcessMark> parse(String text) {
        String[] parts = text.split(" ", -1);
        try {
            return parts.length == 3
                    ? Optional.of(new ProcessMark(parts[0], parts[1], Long.parseLong(parts[2])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether this process surely is no more, as another one sees it that runs now. A machine may hide the processes of other users: then the first of
     * all is not seen either.
     */
    boolean isGoneFor(ProcessMark other) {
        boolean isSeenFrom = machine.equals(other.machine) && namespace.equals(other.namespace);
        boolean seesAll = ProcessHandle.of(FIRST).isPresent();
        return isSeenFrom
                && (pid == other.pid || seesAll && ProcessHandle.of(pid).isEmpty());
    }

    @Override
    public String toString() {
        return machine + " " + namespace + " " + pid;
    }
}
