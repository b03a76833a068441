package io.tributary.node.command;

import io.tributary.node.command.output.OutputOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code tributary check} finds: lines that are printed at once for people, or one value at the end. */
final class CheckFindings {
    private final PrintWriter out;
    private final OutputOptions output;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<Map<String, Object>> shards = new ArrayList<>();
    private boolean isRunning;

    CheckFindings(PrintWriter out, OutputOptions output) {
        this.out = out;
        this.output = output;
    }

    /** What prevents a start. */
    void problems(List<String> lines) {
        problems.addAll(lines);
        lines.forEach(this::line);
    }

    /** What does not prevent a start. */
    void warnings(List<String> lines) {
        warnings.addAll(lines);
        lines.forEach(this::line);
    }

    /** A node runs with this configuration. */
    void running() {
        isRunning = true;
        line("a node runs here with this configuration: it uses its directories and ports");
    }

    void shard(String name, String server, String uuid, String executed) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("shard", name);
        facts.put("server", server);
        facts.put("uuid", uuid);
        facts.put("executed", executed);
        shards.add(facts);
        line("shard " + name + ": " + server + ", server " + uuid + ", has "
                + (executed.isEmpty() ? "no transactions" : executed));
    }

    /** Prints the result; returns the command's exit status. */
    int end() {
        int found = problems.size();
        String fit = isRunning ? "fit to start again; a node runs here with this configuration" : "fit to start";
        String result = found == 0 ? fit : found + (found == 1 ? " problem" : " problems");
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("fit", found == 0);
        page.put("running", isRunning);
        page.put("problems", problems);
        page.put("warnings", warnings);
        page.put("shards", shards);
        output.print(page, () -> result + "\n");
        return found == 0 ? 0 : 1;
    }

    private void line(String text) {
        if (output.isTable()) {
            out.println(text);
            out.flush();
        }
    }
}
