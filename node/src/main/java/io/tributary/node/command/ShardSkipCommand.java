package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.CutAppender;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardFacts;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.RoleName;
import io.tributary.node.role.ShardClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Leaves one transaction of a shard out of the binlog that cannot stand in it. */
@Command(
        name = "skip",
        description = {
            "Leaves out exactly one transaction of a shard, at which the node stands refused.",
            "The node must be stopped; the order is written into the binlog, where it stays as evidence.",
            "Readers of the global binlog never see the transaction's rows: bring them there by hand."
        },
        mixinStandardHelpOptions = true)
final class ShardSkipCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The configuration of the node that writes the binlog: standalone or dumper.")
    private Path file;

    @Parameters(paramLabel = "SHARD", description = "The shard's name.")
    private String shard;

    @Option(
            names = "--gtid",
            required = true,
            paramLabel = "GTID",
            description = "The transaction, as the refusal names it.")
    private String gtid;

    @Override
    public Integer call() {
        Gtid wanted;
        try {
            wanted = Gtid.parse(gtid);
        } catch (IllegalArgumentException e) {
            throw refused("--gtid: expected one GTID such as UUID:17, found '" + gtid + "'");
        }
        RoleName role = NodeKeys.read(file, List.of(NodeConfig.class))
                .get(NodeConfig.class)
                .role();
        if (role == RoleName.DUMPER) {
            return order(wanted);
        }
        ShardConfig config = NodeKeys.read(file, List.of(ExtractorConfig.class))
                .get(ExtractorConfig.class)
                .shards()
                .get(shard);
        if (config == null) {
            throw refused("expected one of the configured shards, found '" + shard + "'");
        }
        requireExecuted(config, wanted);
        return order(wanted);
    }

    /** A GTID that the shard has never seen is a mistake now and a hole later. */
    private void requireExecuted(ShardConfig config, Gtid wanted) {
        try (ShardClient shards = new ShardClient()) {
            ShardCheck.Report report = new ShardCheck(shards.client()).check(Map.of(shard, config), Map.of());
            ShardFacts facts = report.facts().get(shard);
            if (facts == null) {
                report.requireFit();
            } else if (!facts.executed().contains(wanted.sid(), wanted.gno())) {
                throw refused("expected a transaction that shard " + shard + " has executed, found " + wanted
                        + ", which is not among " + facts.executed().line());
            }
        }
    }

    private int order(Gtid wanted) {
        BinlogConfig config = NodeKeys.read(file, List.of(BinlogConfig.class)).get(BinlogConfig.class);
        PrintWriter out = spec.commandLine().getOut();
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
            Cut cut = recovered
                    .resume()
                    .orElseThrow(
                            () -> refused("the binlog in " + directory.path() + " has no cut of any shard yet: begin"
                                    + " behind the transaction with shard." + shard + ".start"));
            Cut.ShardCut from = cut.shards().stream()
                    .filter(each -> each.name().equals(shard))
                    .findFirst()
                    .orElseThrow(() -> refused("expected one of the shards "
                            + cut.shards().stream().map(Cut.ShardCut::name).toList() + ", found '" + shard + "'"));
            if (from.leftOut().contains(wanted.sid(), wanted.gno())) {
                out.println("already ordered: " + wanted + " of shard " + shard + " is left out");
            } else if (from.frontier().contains(wanted.sid(), wanted.gno())) {
                throw refused(wanted + " of shard " + shard + " has been processed already: it stands in the binlog, or"
                        + " held no rows; nothing can be left out behind cut " + cut.number());
            } else {
                CutAppender.append(directory, config, recovered, cut.leavingOut(shard, wanted), Clock.SYSTEM);
                out.println("ordered: " + wanted + " of shard " + shard + " will be left out; start the node");
                out.println(
                        "its rows are missing from the global binlog from now on: bring them to the readers by hand");
            }
        }
        out.flush();
        return 0;
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.SKIP_REFUSED, message);
    }
}
