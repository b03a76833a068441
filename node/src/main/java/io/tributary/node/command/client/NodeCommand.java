package io.tributary.node.command.client;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A sender of operators' decisions: to a running node through its admin endpoint, to a stopped one through its binlog. It prints which. */
public final class NodeCommand {
    private final ConfigFile file;
    private final PrintWriter out;

    public NodeCommand(ConfigFile file, PrintWriter out) {
        this.file = file;
        this.out = out;
    }

    /**
     * The result of a decision for a stopped node.
     *
     * @param next the cut to append; empty if the last cut already contains the decision
     * @param line the message to print
     */
    public record Appended(Optional<Cut> next, String line) {}

    /**
     * Sends a decision, and prints a line with the result.
     *
     * @param page the page of the admin endpoint for a POST
     * @param stopped returns the cut to append after the last one; throws if the decision is refused
     * @return the command's exit status
     */
    public int send(String page, String verb, Function<Cut, Appended> stopped) throws InterruptedException {
        try {
            HttpResponse<String> answer = new AdminClient(file).postAllowed(page, verb);
            out.print("running node: " + answer.body());
            out.flush();
            return answer.statusCode() == 200 ? 0 : 1;
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.NODE_UNREACHABLE) {
                throw e;
            }
            append(e, stopped);
            return 0;
        }
    }

    private void append(TributaryException unanswered, Function<Cut, Appended> stopped) {
        try (StoppedBinlog binlog = StoppedBinlog.open(file, unanswered)) {
            append(binlog, stopped.apply(binlog.cut()));
        }
    }

    /**
     * Makes a decision that needs a stopped node, and appends it to the binlog. No node can use the binlog meanwhile.
     *
     * @param stopped returns the cut to append after the last one, given it and the UUID of the stream; throws if the decision is refused
     * @return the command's exit status
     * @throws TributaryException NODE_UNREACHABLE if a process uses the binlog
     */
    public int appendStopped(BiFunction<Cut, UUID, Appended> stopped) {
        TributaryException needed = new TributaryException(
                ErrorCode.NODE_UNREACHABLE, "expected a stopped node, because its last cut must not change meanwhile");
        try (StoppedBinlog binlog = StoppedBinlog.open(file, needed)) {
            append(binlog, stopped.apply(binlog.cut(), binlog.stream()));
        }
        return 0;
    }

    private void append(StoppedBinlog binlog, Appended appended) {
        appended.next().ifPresent(binlog::append);
        out.println("stopped node, " + (appended.next().isPresent() ? "appended to" : "found in") + " the binlog in "
                + binlog.path() + ": " + appended.line());
        out.flush();
    }
}
