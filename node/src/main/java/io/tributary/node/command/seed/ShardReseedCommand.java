package io.tributary.node.command.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.common.value.Cut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.NodeCommand;
import io.tributary.node.command.client.NodeCommand.Appended;
import io.tributary.node.task.RelaysConfig;
import io.tributary.node.task.ShardClient;
import io.tributary.seed.reseed.Reseed;
import io.tributary.seed.reseed.ReseedServers;
import io.tributary.seed.session.Peer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary shard reseed}: makes a shard whose changes were lost part of the stream again. */
@Command(
        name = "reseed",
        description = {
            "Reads a shard again after SHARD_POSITION_PURGED or SHARD_HISTORY_LOST. Compares the shard with a replica that has applied",
            "the whole global binlog, and adds the changes that were lost to it as DELETE and WRITE rows: replicas need no new set-up.",
            "The node must be stopped. The command can be ended and run again at any time; until it has printed its last line,",
            "nothing has changed for the global binlog."
        },
        mixinStandardHelpOptions = true)
public final class ShardReseedCommand implements Callable<Integer> {
    private static final String VARIABLE = "TRIBUTARY_SHARD_PASSWORD";
    private static final Duration STATEMENT_TIMEOUT = Duration.ofHours(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Mixin
    private ReplicaAccount replica;

    @Parameters(paramLabel = "NAME", description = "The shard's name in the configuration.")
    private String shard;

    @Option(
            names = "--shard-user",
            paramLabel = "USER",
            description = "An account on the shard with the rights RELOAD, REPLICATION_APPLIER (5.7: SUPER), SELECT ON *.*, REPLICATION"
                    + " SLAVE, XA_RECOVER_ADMIN, and CREATE, DROP, INSERT ON tributary.*; default: the account of the"
                    + " configuration.")
    private Optional<String> user;

    @Option(
            names = "--shard-password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the password of --shard-user; default: the environment variable " + VARIABLE
                    + ", else the prompt.")
    private Optional<Path> passwordFile;

    /** Used by picocli. */
    public ShardReseedCommand() {}

    @Override
    public Integer call() {
        ExtractorConfig extract = file.read(ExtractorConfig.class);
        requireSuitable();
        PrintWriter out = spec.commandLine().getOut();
        try (ShardClient shards = new ShardClient()) {
            return new NodeCommand(file, out)
                    .appendStopped((cut, stream) -> reseeded(shards.client(), extract, cut, stream));
        }
    }

    private void requireSuitable() {
        if (file.read(OrderConfig.class).mode() != OrderMode.XA) {
            throw refused("expected order.mode=xa, found another order: set up a new stream");
        }
        if (file.read(RelaysConfig.class).relays().values().stream()
                .anyMatch(relay -> relay.shards().contains(shard))) {
            throw refused("expected a shard that no relay reads, found one: remove it from relay.<name>.shards first");
        }
    }

    private Appended reseeded(MysqlClient client, ExtractorConfig extract, Cut cut, UUID stream) {
        HiddenTables hidden = new HiddenTables(extract.ddlHidden());
        TableNames names = new TableNames(extract, hidden::hides);
        PrintWriter out = spec.commandLine().getOut();
        Reseed reseed = new Reseed(servers(client, extract, cut, stream), names, extract.serverId(), line -> {
            out.println(line);
            out.flush();
        });
        Cut.ShardCut next = reseed.run(cut);
        return new Appended(
                Optional.of(cut.resuming(next)),
                "shard " + shard + " will be read after " + next.frontier().line() + ", and before that "
                        + next.corrections().gtids().count() + " transactions with corrections; start the node");
    }

    private ReseedServers servers(MysqlClient client, ExtractorConfig extract, Cut cut, UUID stream) {
        List<Peer> others = new ArrayList<>();
        for (Cut.ShardCut each : cut.shards()) {
            if (!each.name().equals(shard)) {
                others.add(peer(each.name(), config(extract, each.name()).endpoint()));
            }
        }
        Endpoint configured = config(extract, shard).endpoint();
        Endpoint own = user.map(name -> configured.with(new Credentials(
                        name, ServerPassword.of(passwordFile, VARIABLE, name + "@" + configured.host()))))
                .orElse(configured);
        GtidSet written = cut.transactions() == 0
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder()
                        .addRange(new Sid(stream), 1, cut.transactions())
                        .build();
        return new ReseedServers(
                client, peer(shard, own), others, Peer.target(replica.endpoint(), STATEMENT_TIMEOUT), written);
    }

    private static Peer peer(String name, Endpoint endpoint) {
        return new Peer(Peer.Role.SHARD, name, endpoint, STATEMENT_TIMEOUT);
    }

    private static ShardConfig config(ExtractorConfig extract, String name) {
        ShardConfig config = extract.shards().get(name);
        if (config == null) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID, "shard: expected the keys of shard " + name + ", found none");
        }
        return config;
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.DECISION_REFUSED, message);
    }
}
