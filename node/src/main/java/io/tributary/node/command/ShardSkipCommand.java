package io.tributary.node.command;

import io.tributary.common.gtid.Gtid;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.CutCommands;
import io.tributary.node.command.client.NodeCommand;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.task.ShardClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary shard skip}: leaves out the transaction at which a shard is held, and optionally later ones that must be refused. */
@Command(
        name = "skip",
        description = {
            "Leaves out the transaction at which a shard is held, which tributary ddl list shows; with --until also all later",
            "ones of its source up to that one that must be refused.",
            "A running node does this immediately; for a stopped one the decision is appended to its binlog. It is kept there",
            "as evidence. Readers of the global binlog never receive the rows: apply them there by hand."
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
            description = "The transaction at which the shard is held.")
    private String gtid;

    @Option(
            names = "--until",
            paramLabel = "GTID",
            description =
                    "The last transaction that may be left out; transactions before it that need not be refused are written.")
    private String until;

    @Override
    public Integer call() throws InterruptedException {
        Gtid first = parsed("--gtid", gtid);
        Optional<Gtid> last = Optional.ofNullable(until).map(text -> parsed("--until", text));
        last.ifPresent(to -> requireRange(first, to));
        String page = "/shards/skip?shard=" + encoded(shard) + "&gtid=" + encoded(gtid)
                + last.map(to -> "&until=" + encoded(until)).orElse("");
        return new NodeCommand(file, spec.commandLine().getOut()).send(page, "skip", cut -> {
            requireExecuted(first);
            return CutCommands.skip(cut, shard, first, last);
        });
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Gtid parsed(String option, String text) {
        try {
            return Gtid.parse(text);
        } catch (IllegalArgumentException e) {
            throw CutCommands.refused(option + ": expected one GTID such as UUID:17, found '" + text + "'");
        }
    }

    private static void requireRange(Gtid first, Gtid last) {
        if (!first.sid().equals(last.sid()) || last.gno() < first.gno()) {
            throw CutCommands.refused(
                    "--until: expected a later GTID of the same source as " + first + ", found " + last);
        }
    }

    /**
     * Refuses a GTID that the shard has not executed: a mistake, and the transaction that gets this GTID later would be missing. A Dumper cannot
     * check this, because it does not know the shard's address.
     */
    private void requireExecuted(Gtid wanted) {
        if (!file.read(NodeConfig.class).readsShards()) {
            return;
        }
        ShardConfig config = file.read(ExtractorConfig.class).shards().get(shard);
        if (config == null) {
            throw CutCommands.refused("expected one of the configured shards, found '" + shard + "'");
        }
        try (ShardClient shards = new ShardClient()) {
            ShardCheck.Report report = new ShardCheck(shards.client()).check(Map.of(shard, config), Map.of());
            ShardFacts facts = report.facts().get(shard);
            if (facts == null) {
                report.requireFit();
            } else if (!facts.executed().contains(wanted.sid(), wanted.gno())) {
                throw CutCommands.refused("expected a transaction that shard " + shard + " has executed, found "
                        + wanted + ", which is not among " + facts.executed().line());
            }
        }
    }
}
