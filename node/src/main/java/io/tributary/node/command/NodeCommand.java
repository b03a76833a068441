package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.function.Function;

/** Gives an order to a node: to the running one through its admin endpoint, to a stopped one by its binlog. Says which. */
final class NodeOrder {
    private final ConfigFile file;
    private final PrintWriter out;

    NodeOrder(ConfigFile file, PrintWriter out) {
        this.file = file;
        this.out = out;
    }

    /**
     * What a stopped node's binlog is to say.
     *
     * @param next the cut to append; empty where it says so already
     */
    record Appended(Optional<Cut> next, String line) {}

    /**
     * Gives it, and prints a line that says what was done.
     *
     * @param page to be posted to
     * @param stopped what to append behind the last cut; throws what stands against it
     * @return the command's exit status
     */
    int give(String page, String verb, Function<Cut, Appended> stopped) throws InterruptedException {
        try {
            HttpResponse<String> answer = new AdminClient(file).post(page, verb);
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
            Appended appended = stopped.apply(binlog.cut());
            appended.next().ifPresent(binlog::append);
            out.println("stopped node, " + (appended.next().isPresent() ? "appended to" : "says") + " the binlog in "
                    + binlog.path() + ": " + appended.line());
            out.flush();
        }
    }
}
