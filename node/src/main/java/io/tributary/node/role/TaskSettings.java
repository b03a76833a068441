package io.tributary.node.role;

import io.tributary.collector.CollectorConfig;
import io.tributary.collector.schema.SchemaRules;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.HeartbeatConfig;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.store.JournalMap;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMode;
import io.tributary.transmitter.RelayQuestion;
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
 * The configuration of everything from extract to collect, and of the streams to and from it.
 *
 * @param extract all shards
 * @param relays those who read some of them for this node
 * @param found the names of those of them that no configuration names: where one is lost, others read its shards
 * @param transmit the streams
 * @param identity which stream of which cluster
 * @param heartbeat the rounds
 * @param order which order
 * @param store the payload's memory and disk
 * @param collect ordering
 * @param links what joins the stages
 * @param origin what stands in the collector's events
 */
record TaskSettings(
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
    /** The same with other shards, and other relays that read some of them. */
    TaskSettings with(ExtractorConfig shards, RelaysConfig others) {
        return with(shards, others, others);
    }

    /** The same, where more relays have been found than are configured. */
    TaskSettings with(ExtractorConfig shards, RelaysConfig configured, RelaysConfig all) {
        Set<String> more = new HashSet<>(all.relays().keySet());
        more.removeAll(configured.relays().keySet());
        return new TaskSettings(
                shards, all, Set.copyOf(more), transmit, identity, heartbeat, order, store, collect, links, origin);
    }

    /** The same with other keys of the collector. */
    TaskSettings collecting(CollectorConfig other) {
        return new TaskSettings(
                extract, relays, found, transmit, identity, heartbeat, order, store, other, links, origin);
    }

    /** What happens to statements: by the rule of a table's name, else as for all tables. */
    SchemaRules statements() {
        TableMapping mapping = new TableMapping(extract.tableMap());
        return collect.statements(
                table -> mapping.rule(table).flatMap(TableMapRule::drop).orElse(collect.ddlDrop()),
                table -> mapping.rule(table).flatMap(TableMapRule::truncate).orElse(collect.ddlTruncate()));
    }

    /** What the failure of a stage means: a relay that was found and is lost is no failure of this node, which goes on without it. */
    TributaryException judged(String stage, Throwable cause) {
        TributaryException failure = Failures.of(stage, cause);
        boolean isFound = found.stream().map(TokenReceiver::stageOf).anyMatch(stage::equals);
        return isFound && failure.code() == ErrorCode.STREAM_BROKEN
                ? new TributaryException(
                        ErrorCode.STREAM_RENEWED,
                        "its shards are read elsewhere from now on: " + failure.getMessage(),
                        failure)
                : failure;
    }

    /** Asks a relay, beside the stream that runs, whether it would read these shards for this node. */
    RelayQuestion question(String relay, Collection<String> shards) {
        List<Cut.ShardCut> asked = shards.stream()
                .map(shard -> new Cut.ShardCut(shard, "", GtidSet.EMPTY, GtidSet.EMPTY, "", 0, 0, 0))
                .toList();
        Cut from = new Cut(0, 0, 0, 0, asked, Set.of(), SchemaState.NONE);
        HostPort address = relays.relays().get(relay).address();
        String alike = TokenSettings.of(extract, order);
        int[] places = IntStream.range(0, asked.size()).toArray();
        return new RelayQuestion(transmit, identity, new TokenReceiver.Upstream(relay, address, alike, from, places));
    }

    /** How the extractors' tokens leave, and what they tell the rounds: the one place where the order mode decides that. */
    ExtractOrder extractOrder(Cut start, RoundDemand demand) {
        return switch (order.mode()) {
            case XA -> ExtractOrder.xa();
            case TSO -> ExtractOrder.tso(order.markerTable(), collect.inDoubtWarn(), start, demand);
        };
    }

    /** Which tables of the shards count, and under which names. */
    TableNames tableNames() {
        return new TableNames(extract, new HiddenTables(extract.ddlHidden())::hides);
    }

    /** Describes branches that hold extractors back now. */
    UndecidedBranches undecided(Clock clock) {
        return new UndecidedBranches(collect.inDoubtWarn().toNanos() / 1000, clock.epochMicros());
    }

    /** Where else to look for undecided branches: in `tso` order they are held where their shard is read. */
    List<String> relayedHints() {
        List<String> hints = new ArrayList<>();
        if (order.mode() == OrderMode.TSO) {
            relays.relays()
                    .forEach((name, relay) ->
                            hints.add("what is undecided on shards " + String.join(", ", relay.shards())
                                    + " is known to relay " + name + ": tributary xa list there"));
        }
        return hints;
    }

    /** @throws TributaryException CONFIG_INVALID */
    static TaskSettings of(Config config) {
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

    /** Who reads, in the shards' eyes: the same for all nodes of a cluster, so that a new dump of a shard ends an old one. */
    UUID reader() {
        return ShardIdentity.of(identity.cluster(), extract.serverId());
    }

    /** An empty map for the journal of a pipeline; the caller closes it before the next one is used. */
    JournalMap journal() {
        return store.mode() == StoreMode.MEMORY
                ? JournalMap.onHeap()
                : JournalMap.at(store.directory().resolve("journal"));
    }
}
