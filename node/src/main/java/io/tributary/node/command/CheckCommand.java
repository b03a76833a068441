package io.tributary.node.command;

import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.rpc.Rpc;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.serve.ServeCheck;
import io.tributary.dumper.serve.ServeConfig;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardProblem;
import io.tributary.extractor.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.node.check.MemberCheck;
import io.tributary.node.role.AckCheck;
import io.tributary.node.role.GrpcDoors;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.ShardClient;
import io.tributary.transmitter.TransmitConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
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
            "Compares the definitions of the members of each logical table, and warns of what will hurt.",
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
        List<String> files = new ArrayList<>(Folders.problems(config));
        AckCheck.problem(config).ifPresent(files::add);
        files.addAll(readers(config));
        files.addAll(otherNodes(config));
        files.addAll(GrpcDoors.problems(config));
        files.forEach(out::println);
        int problems = files.size();
        if (config.get(NodeConfig.class).readsShards()) {
            problems += checkShards(config.get(ExtractorConfig.class), Folders.hasBinlog(config), out);
        }
        out.println(problems == 0 ? "fit to start" : problems + (problems == 1 ? " problem" : " problems"));
        out.flush();
        return problems == 0 ? 0 : 1;
    }

    private static List<String> readers(Config config) {
        if (!config.get(NodeConfig.class).keepsFiles()) {
            return List.of();
        }
        ServeConfig serve = config.get(ServeConfig.class);
        return ServeCheck.problems(
                serve, serve.folder(config.get(BinlogConfig.class).directory()));
    }

    /** What is wrong with what it shows to other nodes, and trusts them by. */
    private static List<String> otherNodes(Config config) {
        try {
            var unused = Rpc.of(config.get(TransmitConfig.class).tls());
            return List.of();
        } catch (TributaryException e) {
            return List.of(e.getMessage());
        }
    }

    /**
     * Prints what is wrong with the shards.
     *
     * @param isRunning whether a binlog goes on, so that the configured starts say nothing
     * @return how many problems there are beside warnings
     */
    private static int checkShards(ExtractorConfig config, boolean isRunning, PrintWriter out) {
        try (ShardClient shards = new ShardClient()) {
            ShardCheck.Report report = new ShardCheck(shards.client(), config).check(config.shards(), Map.of());
            int problems = 0;
            for (ShardProblem problem : report.problems()) {
                if (!isRunning || problem.code() != ErrorCode.SHARD_POSITION_PURGED) {
                    out.println(problem);
                    problems += problem.isWarning() ? 0 : 1;
                }
            }
            report.facts()
                    .forEach((name, facts) -> out.println(
                            "shard " + name + ": " + (facts.isMariadb() ? "MariaDB " : "MySQL ") + facts.version()
                                    + ", server " + facts.uuid() + ", has "
                                    + (facts.executed().isEmpty()
                                            ? "no transactions"
                                            : facts.executed().line())));
            checkTables(config, shards, report, out);
            return problems;
        }
    }

    /** Prints what is wrong with the tables of all shards that answered, taken together: warnings only. */
    private static void checkTables(
            ExtractorConfig config, ShardClient shards, ShardCheck.Report report, PrintWriter out) {
        HiddenTables hidden = new HiddenTables(config.ddlHidden());
        MemberCheck members = new MemberCheck(new TableNames(config, hidden::hides), shards.client());
        report.facts()
                .keySet()
                .forEach(name -> members.read(name, report.shards().get(name)));
        members.unread().forEach(out::println);
        members.problems(report.facts()).forEach(out::println);
    }
}
