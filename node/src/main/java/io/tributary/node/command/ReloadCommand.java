package io.tributary.node.command;

import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has a running node read its configuration file again. */
@Command(
        name = "reload",
        description = {
            "Has the running node read its configuration file again: says which changed keys count from now on, and which wait for a restart.",
            "Exit status 0 only when none waits; a file with problems is refused, and the node goes on by what it had."
        },
        mixinStandardHelpOptions = true)
final class ReloadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile config;

    @Override
    public Integer call() throws InterruptedException {
        HttpResponse<String> answer = new AdminClient(config).post("/reload", "reload");
        PrintWriter out = spec.commandLine().getOut();
        out.print(answer.body());
        out.flush();
        return answer.statusCode() == 200 ? 0 : 1;
    }
}
