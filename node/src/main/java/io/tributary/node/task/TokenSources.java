package io.tributary.node.task;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Journal;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.Token;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TableRegistry;
import io.tributary.extractor.stream.Extractor;
import io.tributary.node.process.ThreadPlan;
import io.tributary.store.PayloadStore;
import io.tributary.transmitter.TokenReceiver;
import io.tributary.transmitter.TokenSource;
import io.tributary.transmitter.token.PayloadReader;
import io.tributary.transmitter.token.TokenChunkReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Sources of the tokens of a merge: an extractor for each shard that this node reads, a receiver for each relay. */
final class TokenSources {
    private final TaskSettings settings;
    private final Clock clock;
    private final Cut start;
    private final Map<String, List<HiddenTable>> hidden;
    private final ShardReaders readers;
    private final PayloadStore store;
    private final TableRegistry tables;
    private final RoundRequest roundRequest;
    private final Metrics metrics;
    private final List<Link<Token>> links = new ArrayList<>();
    private final Map<String, TokenReceiver> receivers = new TreeMap<>();

    /**
     * @param environment with metrics of the pipeline
     * @param start where to resume; its cut has all shards, and a token's shard is its index in the cut
     * @param roundRequest notified when a relay waits for a heartbeat round
     */
    TokenSources(
            TaskSettings settings,
            PipelineEnvironment environment,
            TokenSource.Start start,
            PayloadStore store,
            RoundRequest roundRequest) {
        this.settings = settings;
        this.clock = environment.clock();
        this.start = start.cut();
        this.hidden = start.hidden();
        this.store = store;
        this.tables = new TableRegistry(this.start.tableIds(), store.catalogue("ids"));
        this.readers =
                new ShardReaders(settings, environment, settings.extractOrder(this.start, roundRequest), store, tables);
        this.roundRequest = roundRequest;
        this.metrics = environment.metrics();
    }

    /** Assigns the table ids of this pipeline; any thread. */
    TableRegistry tables() {
        return tables;
    }

    /** The readers of the shards that this node reads. */
    ShardReaders readers() {
        return readers;
    }

    /** Assigns threads to the sources, and returns their links in the order of the shards, relays last. */
    List<Link<Token>> plan(ThreadPlan threads) {
        Set<String> relayed = new HashSet<>();
        settings.relays().relays().values().forEach(relay -> relayed.addAll(relay.shards()));
        List<Extractor> extractors = new ArrayList<>();
        for (int index = 0; index < start.shards().size(); index++) {
            Cut.ShardCut from = start.shards().get(index);
            if (!relayed.contains(from.name())) {
                extractors.add(extractor(index, from));
            }
        }
        threads.spread(extractors);
        settings.relays().relays().forEach((name, relay) -> {
            TokenReceiver.Upstream upstream = upstream(name, relay);
            if (upstream.shards().indexes().length > 0) { // otherwise none of its shards is in the cut
                receivers.put(name, receiver(name, relay, upstream));
                threads.alone(receivers.get(name));
            }
        });
        return links;
    }

    /** Number of bytes that each relay has sent, by name; after {@link #plan}, any thread. */
    Map<String, Long> received() {
        Map<String, Long> bytes = new TreeMap<>();
        receivers.forEach((name, relay) -> bytes.put(name, relay.received()));
        return bytes;
    }

    private Extractor extractor(int index, Cut.ShardCut from) {
        ShardReader reader = readers.make(new ShardSource(
                index,
                settings.extract().shards().get(from.name()),
                from,
                hidden.getOrDefault(from.name(), List.of())));
        links.add(reader.link());
        return reader.extractor();
    }

    private TokenReceiver receiver(String name, RelayConfig relay, TokenReceiver.Upstream upstream) {
        TokenReceiver.RelayedShards shards = upstream.shards();
        PayloadReader payload =
                new PayloadReader(store.appender("relay " + name, Set.copyOf(relay.shards())), tables::table);
        return new TokenReceiver(
                settings.transmit(),
                upstream,
                link("relay-" + name),
                new TokenChunkReader(shards.from().shards(), shards.indexes(), payload, roundRequest),
                metrics);
    }

    /** The relay's shards that are in the cut: the cut determines which shards are read, the configuration by which node. */
    private TokenReceiver.Upstream upstream(String name, RelayConfig relay) {
        List<Cut.ShardCut> shards = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        for (int index = 0; index < start.shards().size(); index++) {
            Cut.ShardCut shard = start.shards().get(index);
            if (relay.shards().contains(shard.name())) {
                shards.add(shard);
                indexes.add(index);
            }
        }
        Cut from = new Cut(
                start.epoch(),
                start.number(),
                new Cut.Sources(shards, Set.of()),
                new Cut.OutputPoint(start.transactions(), 0, start.tso()),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        return new TokenReceiver.Upstream(
                name,
                relay.address(),
                settings.identity(),
                TokenSettings.of(settings.extract(), settings.order()),
                new TokenReceiver.RelayedShards(
                        from,
                        indexes.stream().mapToInt(Integer::intValue).toArray(),
                        shards.stream().flatMap(shard -> entries(shard.name())).toList()));
    }

    /** Journal entries that extractors use. */
    private Stream<Journal.Put> entries(String shard) {
        return hidden.getOrDefault(shard, List.of()).stream()
                .filter(table -> table.role() == HiddenTable.Role.COPY || table.role() == HiddenTable.Role.AWAY)
                .map(table -> new Journal.Put(HiddenForm.key(shard, table.name()), HiddenForm.encode(table)));
    }

    private Link<Token> link(String name) {
        Link<Token> link = new Link<>(name, settings.links().tokens(), clock);
        metrics.register(link);
        links.add(link);
        return link;
    }
}
