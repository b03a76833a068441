package io.tributary.node.command.seed;

import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.task.ShardClient;
import io.tributary.seed.session.Peer;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableCatalog;
import io.tributary.seed.verify.Verifier;
import io.tributary.seed.verify.VerifyOptions;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.filter.TableFilter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
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
            "Exit status 0 if all is equal, 1 if not."
        },
        mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
    private static final String TERMINAL = "tributary.terminal";
    private static final Duration STATEMENT_TIMEOUT = Duration.ofHours(1);

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
        VerifyOptions options = choice.options();
        TableFilter filter = choice.filter();
        Peer target = Peer.target(replica.endpoint(), STATEMENT_TIMEOUT);
        try (ShardClient shards = new ShardClient();
                NodeStream stream = new NodeStream(shards.client(), StreamServers.node(serve))) {
            List<Peer> peers = StreamServers.shards(stream.get(), extract);
            HiddenTables hidden = new HiddenTables(extract.ddlHidden());
            List<LogicalTable> tables = TableCatalog.read(
                            shards.client(), stream.session(), peers, new TableNames(extract, hidden::hides))
                    .tables()
                    .stream()
                    .filter(table -> !table.members().isEmpty())
                    .filter(table ->
                            filter.reads(table.name().schema(), table.name().table()))
                    .toList();
            PrintWriter out = spec.commandLine().getOut();
            VerifyOutput output = new VerifyOutput(
                    out, spec.commandLine().getErr(), choice.form(Boolean.getBoolean(TERMINAL)), tables.size());
            Verifier verifier = new Verifier(target, stream, work(shards.client(), options, output));
            compare(verifier, tables);
            return output.end();
        }
    }

    private static Verifier.Work work(MysqlClient client, VerifyOptions options, VerifyOutput output) {
        return new Verifier.Work(client, options, output, Clock.SYSTEM);
    }

    private void compare(Verifier verifier, List<LogicalTable> tables) {
        try (WorkerThreads threads = new WorkerThreads("verify")) {
            var unused = verifier.run(tables, threads.executor(), choice.threads());
        }
    }
}
