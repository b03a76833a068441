package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.metric.Metric;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.command.help.CommandsPage;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Checks that the generated pages of docs/ are up to date; -Dtributary.docs.write=true writes them. */
class DocsPagesTest {
    private static final String REGENERATE = "mvn -pl node test -Dtest=DocsPagesTest -Dtributary.docs.write=true";
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void configurationPageIsUpToDate() throws IOException {
        compareOrWrite("configuration.md", NodeKeys.page());
    }

    @Test
    void errorsPageIsUpToDate() throws IOException {
        StringBuilder page = new StringBuilder("# Errors\n\n" + note("the list of error codes") + """
                A failure is one line: `CODE: expected X, found Y, with the shard and the position | what to do`.

                | severity | what the node does |
                |---|---|
                | retry | rebuilds its pipeline from the last durable cut after a pause of 0.1 to 5 seconds; nothing is lost. A shard, backup, applier or sink retries by itself, with the pauses of its own keys |
                | operator | stops with exit status 1, or holds the shard if the failure concerns one shard, transaction or statement; an operator has to act; nothing is lost |
                | contradiction | stops with exit status 1 and changes nothing on disk: two facts contradict each other |

                | code | severity | what it means | what to do |
                |---|---|---|---|
                """);
        for (ErrorCode code : ErrorCode.values()) {
            page.append("| `").append(code).append("` | ").append(text(code.severity()));
            page.append(" | ")
                    .append(cell(code.meaning()))
                    .append(" | ")
                    .append(cell(code.remedy()))
                    .append(" |\n");
        }
        compareOrWrite("errors.md", page.toString());
    }

    @Test
    void metricsPageIsUpToDate() throws IOException {
        StringBuilder page = new StringBuilder("# Metrics\n\n" + note("the list of metrics") + """
                `GET /metrics` on `admin.listen` returns them as Prometheus text. Labels name the shard, link or stage.
                Of a histogram `NAME`, the series are `NAME_bucket` with the label `le`, `NAME_count` and `NAME_sum`; `histogram_quantile(0.99, rate(NAME_bucket[5m]))`
                is the value that 99 % do not exceed. Metrics of the JVM and of the process have Micrometer's names: `jvm_memory_*`,
                `jvm_gc_*`, `jvm_threads_*`, `jvm_classes_*`, `jvm_buffer_*`, `process_cpu_usage`, `process_files_*`, `process_start_time_seconds`, `process_uptime_seconds`,
                `system_cpu_*`. [alerts.md](alerts.md) describes the rules and dashboards that the archive contains.

                | metric | kind | unit | meaning |
                |---|---|---|---|
                """);
        for (Metric metric : Metric.values()) {
            page.append("| `")
                    .append(metric.prometheus())
                    .append("` | ")
                    .append(metric.kind().name().toLowerCase(Locale.ROOT));
            page.append(" | ")
                    .append(metric.unit())
                    .append(" | ")
                    .append(cell(metric.about()))
                    .append(former(metric))
                    .append(" |\n");
        }
        compareOrWrite("metrics.md", page.toString());
    }

    @Test
    void commandsPageIsUpToDate() throws IOException {
        String page = "# The command line\n\n" + note("the commands") + """
                `bin/tributary COMMAND` runs a node and shows what it does. `tributary help COMMAND` shows the usage of a command, `tributary version` the version of the
                program, of the Java virtual machine and of the protocols.

                - *The configuration file* is that of `-c FILE` (`--config`), else the one that the environment variable `TRIBUTARY_CONFIG` names, else
                  `/etc/tributary/tributary.properties`. A command that finds none names the places where it looked.
                - *The form of the output* is that of `-o`: `table` for people, `json` or `yaml` for programs; both have the same content. `--json` is the same as `-o json`.
                  Commands that print while they work (`log`, `verify`) print one JSON object in each line, or the items of one YAML list. Commands that only act print sentences; their exit status says whether it was done.
                - *Exit status*: 0 done, 1 failed or not in order, 2 wrong usage, 130 `log`, `positions` or `origin` ended by a signal. `config diff` ends with 1 if there are differences. Errors go to standard error, in the form of
                  [errors.md](errors.md).
                - *Colours* are used only on a terminal, and not if `NO_COLOR` is set.
                - *Completion*: `source <(tributary completion bash)`; [tributary completion](#tributary-completion) has zsh and fish.
                - `-h` (`--help`) and `-V` (`--version`) are options of every command.

                """
                + CommandsPage.markdown(
                        TributaryCommand.commandLine(new StopSignal()).getCommandSpec());
        compareOrWrite("cli.md", page);
    }

    private static String former(Metric metric) {
        return metric.formerly().isEmpty()
                ? ""
                : " Also exposed under its former name `" + metric.formerly().replace('.', '_') + "`.";
    }

    private static String note(String source) {
        return "<!-- Generated from " + source + "; do not edit. Regenerate: " + REGENERATE + " -->\n\n";
    }

    private static String text(Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static void compareOrWrite(String name, String page) throws IOException {
        Path file = DOCS.resolve(name);
        if (Boolean.getBoolean("tributary.docs.write")) {
            Files.writeString(file, page);
        }
        String found = Files.exists(file) ? Files.readString(file) : "";
        assertEquals(page, found, "docs/" + name + " is stale; regenerate: " + REGENERATE);
    }
}
