package io.tributary.node.check;

import io.tributary.binlog.StoredCut;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.common.value.Cut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.ActiveWriterCheck;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.extractor.check.ShardInspection;
import io.tributary.extractor.check.ShardProblem;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.task.ShardIdentity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The check whether the shards can be read from the last cut. It writes nothing on them, and it blocks. */
public final class ShardsCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ShardsCheck.class);
    private static final UUID NO_WRITER = new UUID(0, 0);

    private final Config config;
    private final Optional<Cut> last;
    private final boolean isRunningHere;

    /**
     * @param last the cut from which the node continues; empty for a new stream, and if another node has the cut
     * @param isRunningHere whether a node runs here with this configuration; its rounds are then not those of another node
     */
    public ShardsCheck(Config config, Optional<Cut> last, boolean isRunningHere) {
        this.config = config;
        this.last = last;
        this.isRunningHere = isRunningHere;
    }

    /**
     * The result of the check.
     *
     * @param problems one line each; each prevents a start
     * @param warnings one line each
     * @param report the answers of the shards
     */
    public record Found(List<String> problems, List<String> warnings, ShardCheck.Report report) {}

    /** Checks all shards of the configuration, also those that are not read: they may be added to the running node. */
    public Found run(MysqlClient client) {
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        ExtractorConfig extract = config.get(ExtractorConfig.class);
        last.ifPresent(cut -> compare(cut, extract.shards().keySet(), problems, warnings));
        OrderConfig order = config.get(OrderConfig.class);
        Map<String, Cut.ShardCut> cuts = new LinkedHashMap<>();
        last.ifPresent(cut -> cut.shards().forEach(shard -> cuts.put(shard.name(), shard)));
        ShardCheck.Report report = new ShardCheck(client, extract).check(extract.shards(), cuts);
        List<ShardProblem> inspected = new ShardInspection(
                        client,
                        new ShardInspection.Node(
                                extract.serverId(),
                                readers(),
                                order.mode() == OrderMode.TSO ? Optional.of(order.markerTable()) : Optional.empty()))
                .inspect(report, cuts);
        List<ShardProblem> all = new ArrayList<>(report.problems());
        all.addAll(inspected);
        // a member continues from the leader's cut, which may be newer than its own; a node without files begins at the
        // Dumper's cut
        boolean isCutKnown = config.get(NodeConfig.class).keepsFiles()
                && !config.get(NodeConfig.class).isMember();
        all.forEach(problem -> {
            boolean isElsewhere = problem.code() == ErrorCode.SHARD_POSITION_PURGED
                    && (!isCutKnown || last.isPresent() && !cuts.containsKey(problem.shard()));
            (problem.isWarning() || isElsewhere ? warnings : problems).add(problem.toString());
        });
        problems.addAll(otherWriters(client, report));
        return new Found(List.copyOf(problems), List.copyOf(warnings), report);
    }

    /** Other nodes that write rounds now: a start on their shards is refused. A relay writes none. */
    private List<String> otherWriters(MysqlClient client, ShardCheck.Report report) {
        NodeConfig node = config.get(NodeConfig.class);
        if (!node.writesRounds()) {
            return List.of();
        }
        boolean isUnknownOther = !isRunningHere && !node.isMember();
        Map<String, ShardConfig> answering = new LinkedHashMap<>(report.shards());
        answering.keySet().retainAll(report.facts().keySet());
        List<String> problems = new ArrayList<>();
        new ActiveWriterCheck(client, author(), isUnknownOther)
                .find(answering)
                .forEach((name, writer) -> problems.add("shard " + name
                        + ": rounds: expected no other node that writes heartbeat rounds, found those of " + writer
                        + " | stop that node, or take over its shards with tributary start --takeover"));
        return problems;
    }

    /** The identity under which the node writes rounds; {@code NO_WRITER} if the node has not been started yet. */
    private UUID author() {
        if (config.get(NodeConfig.class).isMember()
                || !config.get(NodeConfig.class).keepsFiles()) {
            return ShardIdentity.of(config);
        }
        try {
            return StoredCut.copy(config.get(BinlogConfig.class)).orElse(NO_WRITER);
        } catch (TributaryException e) {
            LOG.debug("identity not read: reason=\"the check of the last cut reports the problem of this folder\"", e);
            return NO_WRITER;
        }
    }

    /** The identities under which the node reads: that of its binlog for a standalone node, that of the cluster for others. */
    private Set<UUID> readers() {
        Set<UUID> readers = new HashSet<>(Set.of(ShardIdentity.of(config)));
        try {
            if (config.get(NodeConfig.class).keepsFiles()) {
                StoredCut.uuid(config.get(BinlogConfig.class)).ifPresent(readers::add);
            }
        } catch (TributaryException e) {
            LOG.debug("identity not read: reason=\"the check of the last cut reports the problem of this folder\"", e);
        }
        return readers;
    }

    private void compare(Cut cut, Set<String> configured, List<String> problems, List<String> warnings) {
        Set<String> idle = new TreeSet<>(configured);
        Set<String> gone = new TreeSet<>();
        cut.shards().forEach(shard -> {
            if (!idle.remove(shard.name())) {
                gone.add(shard.name());
            }
        });
        if (!gone.isEmpty()) {
            problems.add(
                    "shard: expected the keys of shards " + gone + ", which cut " + cut.number()
                            + " contains, found none | write them into the configuration; tributary shard remove removes shards");
        }
        if (!idle.isEmpty()) {
            warnings.add("shard: warning: " + idle + " are not read, because cut " + cut.number()
                    + " does not contain them | tributary shard add, or remove their keys");
        }
        try {
            config.get(OrderConfig.class).requireFits(cut);
        } catch (TributaryException e) {
            problems.add(e.getMessage());
        }
    }
}
