package io.tributary.node.command;

import io.tributary.node.command.client.AdminClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.output.OutputOptions;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code tributary reload}: makes a running node read its configuration file again. */
@Command(
        name = "reload",
        description = {
            "Makes the running node read its configuration file again. Prints which changed keys are in effect now, and which wait for a restart.",
            "Exit status 0 only if no key waits. A file with problems is refused, and the node keeps its previous configuration."
        },
        mixinStandardHelpOptions = true)
final class ReloadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile config;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException {
        String page = "/reload" + (output.isTable() ? "" : "?as=json");
        HttpResponse<String> answer = new AdminClient(config).postAllowed(page, "reload");
        if (output.isTable()) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(answer.body());
            out.flush();
        } else {
            output.printJson(answer.body());
        }
        return answer.statusCode() == 200 ? 0 : 1;
    }
}
