package io.tributary.node.command.seed;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.node.command.output.OutputForm;
import io.tributary.node.command.output.YamlText;
import io.tributary.node.replica.FindingFacts;
import io.tributary.node.replica.VerifyReport;
import io.tributary.node.text.JsonText;
import io.tributary.seed.change.LastChange;
import io.tributary.seed.change.SearchResult;
import io.tributary.seed.verify.Finding;
import io.tributary.seed.verify.TableResult;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code tributary verify} prints: findings and the result to standard output, progress to standard error. Any thread. */
final class VerifyOutput implements VerifyReport {
    private static final long REDRAW_NANOS = 200_000_000;
    private static final double NANOS = 1e9;

    private final PrintWriter out;
    private final PrintWriter err;
    private final Form form;
    private int tables;
    private final long begin = Clock.SYSTEM.nanoTime();
    private long drawn = begin;
    private boolean isDrawn;
    private boolean hasStatements;
    private int ended;
    private long rows;
    private long findings;
    private long busy;
    private long repaired;

    /**
     * The form of the output.
     *
     * @param facts TABLE: sentences; JSON: one object in each line; YAML: one list
     * @param isScript statements for a MySQL client, with everything else as comments
     * @param hasBar whether progress is a line that is drawn again
     */
    record Form(OutputForm facts, boolean isScript, boolean hasBar) {
        private boolean hasFacts() {
            return facts != OutputForm.TABLE;
        }
    }

    VerifyOutput(PrintWriter out, PrintWriter err, Form form) {
        this.out = out;
        this.err = err;
        this.form = form;
    }

    @Override
    public synchronized void begins(int count) {
        tables = count;
    }

    @Override
    public synchronized void chunk(TableName table, long count) {
        rows += count;
        long now = Clock.SYSTEM.nanoTime();
        if (form.hasBar() && now - drawn > REDRAW_NANOS) {
            drawn = now;
            isDrawn = true;
            err.printf(
                    "\r%d of %d tables, %d rows, %.0f rows/s, %d findings, %s\u001b[K",
                    ended, tables, rows, rows / seconds(), findings, table);
            err.flush();
        }
    }

    private double seconds() {
        return Math.max(1, Clock.SYSTEM.nanoTime() - begin) / NANOS;
    }

    private void clear() {
        if (isDrawn) {
            err.print("\r\u001b[K");
            err.flush();
            isDrawn = false;
        }
    }

    @Override
    public synchronized void found(Finding finding) {
        clear();
        if (finding.isDifference()) {
            findings++;
        } else {
            busy++;
        }
        if (form.hasFacts()) {
            print(facts(finding));
        } else {
            print((form.isScript() ? "-- " : "") + finding.toString().replace("\n", "\\n"));
        }
    }

    private static Map<String, Object> facts(Finding finding) {
        Map<String, Object> facts = FindingFacts.of(finding);
        facts.put(
                "values",
                finding.columns().stream()
                        .filter(column -> !column.shard().isEmpty())
                        .map(column -> List.of(column.shard(), column.replica()))
                        .toList());
        facts.put("where", finding.where());
        return facts;
    }

    @Override
    public synchronized void repaired(TableName table, List<String> settings, List<String> statements) {
        repaired++;
        if (!form.isScript()) {
            return;
        }
        clear();
        if (!hasStatements) {
            hasStatements = true;
            print(
                    "-- run this on the replica, with an account that may set sql_log_bin; the replica's GTIDs do not change");
            statements(settings);
        }
        statements(statements);
    }

    @Override
    public synchronized void searched(SearchResult result) {
        clear();
        String range = "last changes, searched in " + result.range();
        if (!form.hasFacts()) {
            print((form.isScript() ? "-- " : "") + range);
        }
        for (LastChange change : result.changes()) {
            if (form.hasFacts()) {
                Map<String, Object> facts = FindingFacts.of(change);
                facts.put("searched", result.range());
                print(facts);
            } else {
                print((form.isScript() ? "-- " : "") + FindingFacts.line(change).replace("\n", "\\n"));
            }
        }
    }

    private void statements(List<String> statements) {
        statements.forEach(statement -> print(statement + ";"));
    }

    @Override
    public synchronized void ended(TableResult table) {
        clear();
        ended++;
        err.println(table.table() + ": " + table.rows() + " rows, "
                + (table.findings() == 0 ? "equal" : table.findings() + " findings")
                + (table.complete() ? "" : ", the rest was left out"));
        err.flush();
    }

    /** Prints the result; returns the exit status. */
    synchronized int end() {
        clear();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tables", ended);
        facts.put("rows", rows);
        facts.put("findings", findings);
        facts.put("busy", busy);
        facts.put("seconds", Math.round(seconds()));
        if (form.hasFacts()) {
            print(facts);
        } else {
            print((form.isScript() ? "-- " : "") + ended + " tables, " + rows + " rows: "
                    + (findings == 0 ? "equal" : findings + " findings")
                    + (busy > 0 ? ", " + busy + " rows not compared, because they change all the time" : "")
                    + (repaired > 0 && !form.isScript() ? ", repaired; run the command again to check" : ""));
        }
        return findings == 0 ? 0 : 1;
    }

    private void print(Map<String, Object> facts) {
        if (form.facts() == OutputForm.YAML) {
            out.print(YamlText.of(List.of(facts)));
            out.flush();
        } else {
            print(JsonText.of(facts));
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
