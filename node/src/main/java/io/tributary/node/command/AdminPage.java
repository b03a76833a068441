package io.tributary.node.command;

import io.tributary.common.error.TributaryException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of the commands that print a page of a running node's admin endpoint. */
final class AdminPage {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private ConfigFile config;

    @Option(names = "--json", description = "As JSON.")
    private boolean asJson;

    /**
     * Prints a page.
     *
     * @param page such as {@code /status}, with parameters or without
     * @return the command's exit status
     * @throws TributaryException NODE_UNREACHABLE
     */
    int print(String page) throws InterruptedException {
        String asText = page.contains("?") ? "&as=text" : "?as=text";
        HttpResponse<String> response = new AdminClient(config).get(page + (asJson ? "" : asText));
        PrintWriter out = spec.commandLine().getOut();
        out.print(response.body());
        out.flush();
        return response.statusCode() == 200 ? 0 : 1;
    }
}
