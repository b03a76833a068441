package io.tributary.node.command.client;

import io.tributary.binlog.StoredCut;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.node.admin.DdlPage;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.status.CutStatus;
import io.tributary.node.status.StatusFacts;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The options of the commands that print a page of a running node's admin endpoint. */
public final class AdminPage {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private ConfigFile config;

    @Mixin
    private OutputOptions output;

    /**
     * Waits until the node of the configuration is ready.
     *
     * @throws TributaryException as {@link Readiness#await}, and TLS_UNUSABLE
     */
    public void awaitReady(Duration limit) throws InterruptedException {
        new Readiness(new AdminClient(config), Clock.SYSTEM).await(limit);
    }

    /**
     * Prints a page.
     *
     * @param page for example {@code /status}, with or without parameters
     * @return the command's exit status: 1 if the node refuses the page, and then its message goes to standard error
     * @throws TributaryException NODE_UNREACHABLE, ADMIN_LOGIN_REFUSED
     */
    public int print(String page) throws InterruptedException {
        String asText = page.contains("?") ? "&as=text" : "?as=text";
        HttpResponse<String> response = new AdminClient(config).getAllowed(page + (output.isTable() ? asText : ""));
        if (response.statusCode() != HttpURLConnection.HTTP_OK) {
            PrintWriter err = spec.commandLine().getErr();
            err.print(response.body());
            err.flush();
            return 1;
        }
        if (output.isTable()) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(response.body());
            out.flush();
        } else {
            output.printJson(response.body());
        }
        return 0;
    }

    /**
     * Prints a page of schema changes. If the node does not run, prints those of its last cut.
     *
     * @return the command's exit status
     * @throws TributaryException NODE_UNREACHABLE if the node has no binlog, or is starting or stopping
     */
    public int print(String page, Function<Cut, List<SchemaItem>> stopped) throws InterruptedException {
        try {
            return print(page);
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.NODE_UNREACHABLE) {
                throw e;
            }
            print(e, stopped);
            return 0;
        }
    }

    /**
     * Prints the last cut in the files of a node, which may be stopped: the position up to which each shard has been read.
     *
     * @return the command's exit status: 1 if there is no cut yet
     * @throws TributaryException DIRECTORY_UNUSABLE, BINLOG_CORRUPT
     */
    public int printStored() {
        BinlogConfig binlog = config.read(BinlogConfig.class);
        Optional<Cut> cut = StoredCut.last(binlog);
        PrintWriter err = spec.commandLine().getErr();
        if (cut.isEmpty()) {
            err.println("the binlog in " + binlog.directory() + " has no cut of any shard yet");
            err.flush();
            return 1;
        }
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("binlog", binlog.directory().toString());
        StoredCut.uuid(binlog).ifPresent(uuid -> facts.put("server_uuid", uuid.toString()));
        facts.putAll(StatusFacts.of(CutStatus.of(cut.get())));
        output.print(
                facts,
                () -> facts.entrySet().stream()
                        .map(fact -> fact.getKey() + ": " + fact.getValue() + "\n")
                        .collect(Collectors.joining()));
        return 0;
    }

    private void print(TributaryException unanswered, Function<Cut, List<SchemaItem>> stopped) {
        try (StoppedBinlog binlog = StoppedBinlog.open(config, unanswered)) {
            Cut cut = binlog.cut();
            DdlPage shown = new DdlPage(stopped.apply(cut));
            PrintWriter err = spec.commandLine().getErr();
            err.println("stopped node, from cut " + cut.number() + " of the binlog in " + binlog.path() + ":");
            err.flush();
            output.print(shown.map(), shown::text);
        }
    }
}
