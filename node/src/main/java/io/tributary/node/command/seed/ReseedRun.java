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
import io.tributary.node.command.client.ServerPassword;
import io.tributary.node.task.RelaysConfig;
import io.tributary.node.task.ShardClient;
import io.tributary.replay.session.Peer;
import io.tributary.seed.reseed.Reseed;
import io.tributary.seed.reseed.ReseedServers;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** The options of the commands that compare a shard with a replica and add the differences to the binlog of a stopped node, and their work. */
public class ReseedRun extends ReplicaAccount {
    private static final String VARIABLE = "TRIBUTARY_SHARD_PASSWORD";
    private static final Duration STATEMENT_TIMEOUT = Duration.ofHours(1);

    @Option(
            names = "--shard-user",
            paramLabel = "USER",
            description =
                    "An account on the shard with the rights RELOAD, REPLICATION_APPLIER (5.7: SUPER), SELECT ON *.*, REPLICATION"
                            + " SLAVE, XA_RECOVER_ADMIN, and CREATE, DROP, INSERT ON tributary.*; default: the account of the"
                            + " configuration.")
    private String user;

    @Option(
            names = "--shard-password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the password of --shard-user; default: the environment variable "
                    + VARIABLE + ", else the prompt.")
    private Path passwordFile;

    /** Used by picocli. */
    public ReseedRun() {}

    /**
     * Compares, writes the corrections on the shard, and appends the decision to the binlog.
     *
     * @param isNew whether the shard joins the stream; otherwise it is one of the stream that is held
     * @return the exit status
     */
    public int run(ConfigFile file, String shard, boolean isNew, PrintWriter out) {
        ExtractorConfig extract = file.read(ExtractorConfig.class);
        requireSuitable(file, shard);
        try (ShardClient shards = new ShardClient()) {
            return new NodeCommand(file, out).appendStopped((cut, stream) -> {
                Cut from = isNew ? joined(cut, shard) : cut;
                HiddenTables hidden = new HiddenTables(extract.ddlHidden());
                Reseed reseed = new Reseed(
                        servers(shards.client(), extract, shard, from, stream),
                        new TableNames(extract, hidden::hides),
                        extract.serverId(),
                        line -> print(out, line));
                Cut.ShardCut next = reseed.run(from);
                return new Appended(
                        Optional.of(from.resuming(next)),
                        "shard " + shard + " will be read after "
                                + next.frontier().line() + ", and before that "
                                + next.corrections().gtids().count()
                                + " transactions with corrections; start the node");
            });
        }
    }

    private static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    private static Cut joined(Cut cut, String shard) {
        if (cut.shards().stream().anyMatch(each -> each.name().equals(shard))) {
            throw refused("expected a shard that is not in the stream yet, found " + shard + " in cut " + cut.number());
        }
        return cut.joinedBy(Cut.ShardCut.unread(shard, "", GtidSet.EMPTY, GtidSet.EMPTY));
    }

    private static void requireSuitable(ConfigFile file, String shard) {
        if (file.read(OrderConfig.class).mode() != OrderMode.XA) {
            throw refused("expected order.mode=xa, found another order: set up a new stream");
        }
        if (file.read(RelaysConfig.class).relays().values().stream()
                .anyMatch(relay -> relay.shards().contains(shard))) {
            throw refused("expected a shard that no relay reads, found one: remove it from relay.<name>.shards first");
        }
    }

    private ReseedServers servers(MysqlClient client, ExtractorConfig extract, String shard, Cut cut, UUID stream) {
        List<Peer> others = new ArrayList<>();
        for (Cut.ShardCut each : cut.shards()) {
            if (!each.name().equals(shard)) {
                others.add(peer(each.name(), config(extract, each.name()).endpoint()));
            }
        }
        Endpoint configured = config(extract, shard).endpoint();
        Endpoint own = Optional.ofNullable(user)
                .map(name -> configured.with(new Credentials(
                        name,
                        ServerPassword.of(
                                Optional.ofNullable(passwordFile), VARIABLE, name + "@" + configured.host()))))
                .orElse(configured);
        GtidSet written = cut.transactions() == 0
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder()
                        .addRange(new Sid(stream), 1, cut.transactions())
                        .build();
        return new ReseedServers(client, peer(shard, own), others, Peer.target(endpoint(), STATEMENT_TIMEOUT), written);
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
