package io.tributary.node.command.seed;

import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.replica.ReplicaVerification;
import io.tributary.node.replica.StreamKeys;
import io.tributary.node.replica.VerifyPlan;
import io.tributary.node.replica.WorkerThreads;
import io.tributary.node.task.ShardClient;
import io.tributary.serve.ServeConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code tributary verify}: compares a replica with the shards, while all of them change. */
@Command(
        name = "verify",
        description = {
            "Compares every table of a replica with the shards, row by row, while applications write. It locks nothing.",
            "Prints the rows that differ: table, key, columns. Values only with --show.",
            "At the end it prints the transaction that changed each of them last, if the binlog still has it.",
            "Exit status 0 if all is equal, 1 if not."
        },
        mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
    private static final String TERMINAL = "tributary.terminal";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Mixin
    private ReplicaAccount replica;

    @Mixin
    private VerifyChoice choice;

    /** Used by picocli. */
    public VerifyCommand() {}

    @Override
    public Integer call() {
        ServeConfig serve = file.read(ServeConfig.class);
        ExtractorConfig extract = file.read(ExtractorConfig.class);
        HiddenTables hidden = new HiddenTables(extract.ddlHidden());
        StreamKeys keys = new StreamKeys(serve, extract.shards(), new TableNames(extract, hidden::hides));
        VerifyPlan plan = new VerifyPlan(
                VerifyPlan.replica(replica.endpoint()),
                choice.filter(),
                choice.options(),
                choice.threads(),
                choice.search());
        VerifyOutput output = new VerifyOutput(
                spec.commandLine().getOut(), spec.commandLine().getErr(), choice.form(Boolean.getBoolean(TERMINAL)));
        try (ShardClient shards = new ShardClient();
                WorkerThreads threads = new WorkerThreads("verify")) {
            new ReplicaVerification(shards.client(), keys, Clock.SYSTEM).run(plan, output, threads.executor());
            return output.end();
        }
    }
}
