package io.tributary.bench;

import io.tributary.testkit.server.MysqlTools;
import java.util.ArrayList;
import java.util.List;

/**
 * The time and CPU of another program from its start to its end, as bash reports them.
 *
 * @param seconds elapsed seconds
 * @param userSeconds CPU seconds in user mode
 * @param systemSeconds CPU seconds in the kernel
 */
public record TimedCommand(double seconds, double userSeconds, double systemSeconds) {
    private static final String TIMED = "TIMEFORMAT='%3R %3U %3S'; time \"$@\"";

    /** Runs a program; throws if it fails. */
    public static TimedCommand run(List<String> program) {
        List<String> command = new ArrayList<>(List.of("bash", "-c", TIMED, "bash"));
        command.addAll(program);
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        if (outcome.status() != 0) {
            throw new IllegalStateException(program.get(0) + " failed: " + outcome.output());
        }
        String output = outcome.output().strip();
        String[] times = output.substring(output.lastIndexOf('\n') + 1).split(" ", 3);
        return new TimedCommand(
                Double.parseDouble(times[0]), Double.parseDouble(times[1]), Double.parseDouble(times[2]));
    }

    public double cpuSeconds() {
        return userSeconds + systemSeconds;
    }

    /** The sum of both. */
    public TimedCommand and(TimedCommand other) {
        return new TimedCommand(
                seconds + other.seconds, userSeconds + other.userSeconds, systemSeconds + other.systemSeconds);
    }
}
