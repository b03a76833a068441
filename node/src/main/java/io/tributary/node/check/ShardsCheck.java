package io.tributary.node.check;

import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.common.value.Cut;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.StoredCut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.LivingWriter;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardInspection;
import io.tributary.extractor.ShardProblem;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.ShardIdentity;
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

/** Everything that stands against reading the shards from where the stream stands. It writes nothing on them, and it blocks. */
public final class ShardsLook {
    private static final Logger LOG = LoggerFactory.getLogger(ShardsLook.class);
    private static final UUID NOBODY = new UUID(0, 0);

    private final Config config;
    private final Optional<Cut> last;
    private final boolean isRunningHere;

    /**
     * @param last the cut from which the node continues; empty for a new stream, and where another node has it
     * @param isRunningHere whether a node runs here with this configuration, whose rounds are no other node's
     */
    public ShardsLook(Config config, Optional<Cut> last, boolean isRunningHere) {
        this.config = config;
        this.last = last;
        this.isRunningHere = isRunningHere;
    }

    /**
     * What was found.
     *
     * @param problems one line each, in the way of a start
     * @param warnings one line each
     * @param report what the shards say of themselves
     */
    public record Found(List<String> problems, List<String> warnings, ShardCheck.Report report) {}

    /** Asks all shards of the configuration, those that are not read too: they may be added to the running node. */
    public Found look(MysqlClient client) {
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
        // a member continues from the leader's cut, which may be newer than its own; others begin where the Dumper says
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

    /** Other nodes that write rounds now: a start is refused on their shards. A relay writes none. */
    private List<String> otherWriters(MysqlClient client, ShardCheck.Report report) {
        NodeConfig node = config.get(NodeConfig.class);
        if (!node.writesRounds()) {
            return List.of();
        }
        boolean isUnknownOther = !isRunningHere && !node.isMember();
        Map<String, ShardConfig> answering = new LinkedHashMap<>(report.shards());
        answering.keySet().retainAll(report.facts().keySet());
        List<String> problems = new ArrayList<>();
        new LivingWriter(client, author(), isUnknownOther)
                .find(answering)
                .forEach((name, writer) -> problems.add("shard " + name
                        + ": rounds: expected no other node that writes heartbeat rounds, found those of " + writer
                        + " | stop that node, or take its shards from it with tributary start --takeover"));
        return problems;
    }

    /** Who writes the node's rounds; nobody's where the node has not been started yet. */
    private UUID author() {
        if (config.get(NodeConfig.class).isMember()
                || !config.get(NodeConfig.class).keepsFiles()) {
            return ShardIdentity.of(config);
        }
        try {
            return StoredCut.copy(config.get(BinlogConfig.class)).orElse(NOBODY);
        } catch (TributaryException e) {
            LOG.debug("told with the last cut, which has the same folder", e);
            return NOBODY;
        }
    }

    /** A standalone node reads as its binlog is called, others as their cluster. */
    private Set<UUID> readers() {
        Set<UUID> readers = new HashSet<>(Set.of(ShardIdentity.of(config)));
        try {
            if (config.get(NodeConfig.class).keepsFiles()) {
                StoredCut.uuid(config.get(BinlogConfig.class)).ifPresent(readers::add);
            }
        } catch (TributaryException e) {
            LOG.debug("told with the last cut, which has the same folder", e);
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
            problems.add("shard: expected the keys of shards " + gone + ", which cut " + cut.number()
                    + " has, found none | write them into the configuration; tributary shard remove takes shards away");
        }
        if (!idle.isEmpty()) {
            warnings.add("shard: warning: " + idle + " are not read, since cut " + cut.number()
                    + " does not have them | tributary shard add, or remove their keys");
        }
        try {
            config.get(OrderConfig.class).requireFits(cut);
        } catch (TributaryException e) {
            problems.add(e.getMessage());
        }
    }
}
