package io.tributary.node.task;

import io.tributary.collector.CollectorConfig;
import io.tributary.collector.DdlConfig;
import io.tributary.collector.schema.SchemaRules;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Removal;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.extractor.rounds.HeartbeatConfig;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.Failures;
import io.tributary.node.process.PipelineConfig;
import io.tributary.store.JournalMap;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMode;
import io.tributary.transmitter.RelayProbe;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.TokenReceiver;
import io.tributary.transmitter.TransmitConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The configuration of the stages from extract to collect, and of the streams to and from them.
 *
 * @param extract all shards
 * @param relays that read some of the shards for this node
 * @param found names of the relays that are not in the configuration: if one is lost, others read its shards
 * @param transmit the streams
 * @param identity of the stream and its cluster
 * @param heartbeat the rounds
 * @param order the order mode
 * @param store memory and disk for payload
 * @param collect the collector
 * @param links and threads between the stages
 * @param origin contents of the collector's events
 */
public record TaskSettings(
        ExtractorConfig extract,
        RelaysConfig relays,
        Set<String> found,
        TransmitConfig transmit,
        StreamIdentity identity,
        HeartbeatConfig heartbeat,
        OrderConfig order,
        StoreConfig store,
        CollectorConfig collect,
        PipelineConfig links,
        OriginConfig origin) {
    /** These settings with other shards and other relays. */
    public TaskSettings with(ExtractorConfig shards, RelaysConfig others) {
        return with(shards, others, others);
    }

    /** These settings with other shards, and with relays that were found in addition to the configured ones. */
    public TaskSettings with(ExtractorConfig shards, RelaysConfig configured, RelaysConfig all) {
        Set<String> more = new HashSet<>(all.relays().keySet());
        more.removeAll(configured.relays().keySet());
        return new TaskSettings(
                shards, all, Set.copyOf(more), transmit, identity, heartbeat, order, store, collect, links, origin);
    }

    /** These settings with other keys of the collector. */
    public TaskSettings withCollector(CollectorConfig other) {
        return new TaskSettings(
                extract, relays, found, transmit, identity, heartbeat, order, store, other, links, origin);
    }

    /** The rules for DDL statements: by the rule of a table's name, otherwise the rule for all tables. */
    SchemaRules statements() {
        TableMapping mapping = new TableMapping(extract.tableMap());
        DdlConfig ddl = collect.ddl();
        Removal drop = ddl.removals().drop();
        Removal truncate = ddl.removals().truncate();
        return ddl.statements(
                table -> mapping.rule(table).flatMap(TableMapRule::drop).orElse(drop),
                table -> mapping.rule(table).flatMap(TableMapRule::truncate).orElse(truncate));
    }

    /** Converts the failure of a stage: a lost relay that is not in the configuration is no failure of this node, which continues without it. */
    TributaryException failureOf(String stage, Throwable cause) {
        TributaryException failure = Failures.of(stage, cause);
        boolean isFound = found.stream().map(TokenReceiver::stageOf).anyMatch(stage::equals);
        return isFound && failure.code() == ErrorCode.STREAM_BROKEN
                ? new TributaryException(
                        ErrorCode.STREAM_RENEWED,
                        "shards of a lost relay are read by another node from now on: " + failure.getMessage(),
                        failure)
                : failure;
    }

    /** Asks a relay, beside the running stream, whether it accepts to read these shards for this node. */
    public RelayProbe probe(String relay, Collection<String> shards) {
        List<Cut.ShardCut> cuts = shards.stream()
                .map(shard -> Cut.ShardCut.unread(shard, "", GtidSet.EMPTY, GtidSet.EMPTY))
                .toList();
        Cut from = Cut.beginning(cuts);
        HostPort address = relays.relays().get(relay).address();
        String tokenSettings = TokenSettings.of(extract, order);
        int[] places = IntStream.range(0, cuts.size()).toArray();
        return new RelayProbe(
                transmit,
                new TokenReceiver.Upstream(
                        relay, address, identity, tokenSettings, TokenReceiver.RelayedShards.of(from, places)));
    }

    /** The order in which tokens leave the extractors, and their requests for rounds; both depend on the order mode only here. */
    ExtractOrder extractOrder(Cut start, RoundRequest roundRequest) {
        return switch (order.mode()) {
            case XA -> ExtractOrder.xa();
            case TSO -> ExtractOrder.tso(order.markerTable(), collect.inDoubtWarn(), start, roundRequest);
        };
    }

    /** The tables of the shards that are read, and their logical names. */
    TableNames tableNames() {
        return new TableNames(extract, new HiddenTables(extract.ddlHidden())::hides);
    }

    /** Describes the undecided branches at which extractors wait now. */
    public UndecidedBranches undecided(Clock clock) {
        return new UndecidedBranches(collect.inDoubtWarn().toNanos() / 1000, clock.epochMicros());
    }

    /** Hints to other nodes for undecided branches: with order.mode=tso they are held by the node that reads their shard. */
    public List<String> relayedHints() {
        List<String> hints = new ArrayList<>();
        if (order.mode() == OrderMode.TSO) {
            relays.relays()
                    .forEach((name, relay) ->
                            hints.add("undecided branches on shards " + String.join(", ", relay.shards())
                                    + " are known to relay " + name + ": run tributary xa list there"));
        }
        return hints;
    }

    /** @throws TributaryException CONFIG_INVALID */
    public static TaskSettings of(Config config) {
        ExtractorConfig extract = config.get(ExtractorConfig.class);
        RelaysConfig relays = config.get(RelaysConfig.class);
        try {
            relays.requireAmong(extract.shards().keySet());
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, e.getMessage(), e);
        }
        TransmitConfig transmit = config.get(TransmitConfig.class);
        return new TaskSettings(
                extract,
                relays,
                Set.of(),
                transmit,
                new StreamIdentity(config.get(ClusterConfig.class).id(), transmit.stream()),
                config.get(HeartbeatConfig.class),
                config.get(OrderConfig.class),
                config.get(StoreConfig.class),
                config.get(CollectorConfig.class),
                config.get(PipelineConfig.class),
                config.get(OriginConfig.class));
    }

    /** The UUID under which shards are read: the same for all nodes of a cluster, so that a new dump of a shard ends an old one. */
    public UUID reader() {
        return ShardIdentity.of(identity.cluster(), extract.serverId());
    }

    /** An empty map for the journal of a pipeline; the caller closes it before the next one is used. */
    public JournalMap journal() {
        return store.mode() == StoreMode.MEMORY
                ? JournalMap.onHeap()
                : JournalMap.at(store.directory().resolve("journal"));
    }
}
