package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.RefusedTransaction;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.CutAppender;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.dumper.RefusalNote;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardFacts;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.RoleName;
import io.tributary.node.role.ShardClient;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private ConfigFile file;

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
        RoleName role = file.read(NodeConfig.class).role();
        if (role == RoleName.DUMPER) {
            return order(wanted);
        }
        ShardConfig config = file.read(ExtractorConfig.class).shards().get(shard);
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
        BinlogConfig config = file.read(BinlogConfig.class);
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
                requireRefused(new RefusalNote(directory).read(), wanted);
                CutAppender.append(directory, config, recovered, cut.leavingOut(shard, wanted), Clock.SYSTEM);
                out.println("ordered: " + wanted + " of shard " + shard + " will be left out; start the node");
                out.println(
                        "its rows are missing from the global binlog from now on: bring them to the readers by hand");
            }
        }
        out.flush();
        return 0;
    }

    /** Any other transaction stands in the binlog, or will. */
    private void requireRefused(Optional<String> note, Gtid wanted) {
        Optional<RefusedTransaction> last = note.flatMap(RefusedTransaction::in);
        if (last.isEmpty()) {
            throw refused("expected the transaction at which the node stands refused, found " + wanted + " of shard "
                    + shard + ", and nothing was refused yet: start the node, it names the transaction and stops");
        }
        if (!last.get().equals(new RefusedTransaction(shard, wanted))) {
            throw refused(
                    "expected " + last.get().gtid() + " of shard " + last.get().shard()
                            + ", at which the node stands refused, found " + wanted + " of shard " + shard
                            + "; the refusal was: " + note.get());
        }
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.SKIP_REFUSED, message);
    }
}
