package io.tributary.node.command;

import io.tributary.binlog.StoredCut;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.apply.ApplyCheck;
import io.tributary.node.check.CertificateCheck;
import io.tributary.node.check.MemberCheck;
import io.tributary.node.check.ShardsCheck;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.RunningNode;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.replica.VerifyCheck;
import io.tributary.node.role.AckCheck;
import io.tributary.node.role.GrpcListenCheck;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.sink.SinkCheck;
import io.tributary.node.task.ShardClient;
import io.tributary.rpc.Rpc;
import io.tributary.serve.ServeCheck;
import io.tributary.serve.ServeConfig;
import io.tributary.transmitter.TransmitConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code tributary check}: checks everything that a start needs, also while a node runs, and changes nothing. */
@Command(
        name = "check",
        description = {
            "Checks the configuration, directories, ports and every shard. Prints all problems, each with a remedy.",
            "Writes nothing on the shards, and can be run while a node runs with the same configuration.",
            "Compares the definitions of the members of each logical table, and prints warnings about differences.",
            "Exit status 0 only if nothing prevents a start."
        },
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        Config config = file.read(Map.of());
        CheckFindings findings = new CheckFindings(spec.commandLine().getOut(), output);
        List<String> problems = new ArrayList<>(file.clearSecrets());
        problems.addAll(DirectoryCheck.problems(config));
        CertificateCheck certificate = new CertificateCheck(config, Clock.SYSTEM);
        problems.addAll(certificate.problems());
        RunningNode running = RunningNode.of(file, config);
        problems.addAll(running.problems());
        AckCheck.problem(config).ifPresent(problems::add);
        problems.addAll(readers(config));
        problems.addAll(replicas(config).map(VerifyCheck::problems).orElse(List.of()));
        problems.addAll(sink(config).map(SinkCheck::problems).orElse(List.of()));
        problems.addAll(otherNodes(config));
        problems.addAll(GrpcListenCheck.problems(config));
        zooKeeper(config).ifPresent(problems::add);
        Optional<Cut> last = lastCut(config, problems);
        findings.problems(problems);
        findings.warnings(certificate.warnings());
        if (running.isThere()) {
            findings.running();
        }
        if (config.get(NodeConfig.class).readsShards()) {
            checkShards(config, new ShardsCheck(config, last, running.isThere()), findings);
        }
        replicas(config).ifPresent(check -> findings.warnings(warnings(check::warnings)));
        if (config.get(NodeConfig.class).applies()) {
            findings.warnings(warnings(new ApplyCheck(config)::warnings));
        }
        sink(config).ifPresent(check -> findings.warnings(warnings(check::warnings)));
        return findings.end();
    }

    /** The check of the replicas that this node compares; empty if it has no binlog. */
    private static Optional<VerifyCheck> replicas(Config config) {
        return config.get(NodeConfig.class).keepsFiles() ? Optional.of(new VerifyCheck(config)) : Optional.empty();
    }

    /** The check of the sink; empty if this node is none. */
    private static Optional<SinkCheck> sink(Config config) {
        return config.get(NodeConfig.class).sinks() ? Optional.of(new SinkCheck(config)) : Optional.empty();
    }

    private static List<String> warnings(Function<MysqlClient, List<String>> check) {
        try (ShardClient client = new ShardClient(1)) {
            return check.apply(client.client());
        }
    }

    /** The cut from which the node continues. A running node may write to the files at the same time. */
    private static Optional<Cut> lastCut(Config config, List<String> problems) {
        if (!config.get(NodeConfig.class).keepsFiles()) {
            return Optional.empty();
        }
        try {
            return StoredCut.last(config.get(BinlogConfig.class));
        } catch (TributaryException e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }

    /** The problem with the cluster's ZooKeeper, if any; it is only read. */
    private Optional<String> zooKeeper(Config config) {
        if (!config.get(NodeConfig.class).isMember()
                || config.get(CoordinationConfig.class).zookeeper().servers().isEmpty()) {
            return Optional.empty();
        }
        try (ZooKeeperCoordinator coordinator = ClusterAccess.open(file)) {
            var unused = coordinator.identity();
            return Optional.empty();
        } catch (TributaryException e) {
            return Optional.of("cluster.zookeeper: " + e.getMessage());
        }
    }

    private static List<String> readers(Config config) {
        if (!config.get(NodeConfig.class).keepsFiles()) {
            return List.of();
        }
        ServeConfig serve = config.get(ServeConfig.class);
        return ServeCheck.problems(
                serve, serve.folder(config.get(BinlogConfig.class).directory()));
    }

    /** The problem with the certificates and keys for connections between nodes, if any. */
    private static List<String> otherNodes(Config config) {
        try {
            var unused = Rpc.of(config.get(TransmitConfig.class).tls());
            return List.of();
        } catch (TributaryException e) {
            return List.of(e.getMessage());
        }
    }

    private static void checkShards(Config config, ShardsCheck check, CheckFindings findings) {
        try (ShardClient shards = new ShardClient()) {
            ShardsCheck.Found found = check.run(shards.client());
            findings.problems(found.problems());
            findings.warnings(found.warnings());
            found.report()
                    .facts()
                    .forEach((name, facts) -> findings.shard(
                            name,
                            (facts.isMariadb() ? "MariaDB " : "MySQL ") + facts.version(),
                            facts.uuid().toString(),
                            facts.executed().line()));
            checkTables(config.get(ExtractorConfig.class), shards, found.report(), findings);
        }
    }

    /** Adds warnings about differences between the tables of all shards that answered. */
    private static void checkTables(
            ExtractorConfig config, ShardClient shards, ShardCheck.Report report, CheckFindings findings) {
        HiddenTables hidden = new HiddenTables(config.ddlHidden());
        MemberCheck members = new MemberCheck(new TableNames(config, hidden::hides), shards.client());
        report.facts()
                .keySet()
                .forEach(name -> members.read(name, report.shards().get(name)));
        findings.warnings(members.unread());
        findings.warnings(
                members.problems(report.facts()).stream().map(Object::toString).toList());
    }
}
