package io.tributary.node.command;

import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardProblem;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.RoleName;
import io.tributary.node.role.ShardClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at everything that a start needs, and changes nothing. */
@Command(
        name = "check",
        description = {
            "Looks at configuration, folders and every shard: every problem at once, with what mends it.",
            "Exit status 0 only when nothing is in the way of a start."
        },
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Override
    public Integer call() {
        Config config = file.read(Map.of());
        PrintWriter out = spec.commandLine().getOut();
        List<String> folders = Folders.problems(config);
        folders.forEach(out::println);
        int problems = folders.size();
        if (config.get(NodeConfig.class).role() != RoleName.DUMPER) {
            problems += checkShards(config.get(ExtractorConfig.class), Folders.hasBinlog(config), out);
        }
        out.println(problems == 0 ? "fit to start" : problems + (problems == 1 ? " problem" : " problems"));
        out.flush();
        return problems == 0 ? 0 : 1;
    }

    /**
     * Prints what is wrong with the shards.
     *
     * @param isRunning whether a binlog goes on, so that the configured starts say nothing
     * @return how many problems there are beside warnings
     */
    private static int checkShards(ExtractorConfig config, boolean isRunning, PrintWriter out) {
        try (ShardClient shards = new ShardClient()) {
            ShardCheck.Report report = new ShardCheck(shards.client()).check(config.shards(), Map.of());
            int problems = 0;
            for (ShardProblem problem : report.problems()) {
                if (!isRunning || problem.code() != ErrorCode.SHARD_POSITION_PURGED) {
                    out.println(problem);
                    problems += problem.isWarning() ? 0 : 1;
                }
            }
            report.facts()
                    .forEach((name, facts) -> out.println("shard " + name + ": MySQL " + facts.version()
                            + ", server " + facts.uuid() + ", has "
                            + (facts.executed().isEmpty()
                                    ? "no transactions"
                                    : facts.executed().line())));
            return problems;
        }
    }
}
