package io.tributary.node.task;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Token;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractTarget;
import io.tributary.extractor.ReplicationClient;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TableRegistry;
import io.tributary.extractor.stream.Extractor;
import io.tributary.node.status.PipelineStatus;
import io.tributary.store.PayloadStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Creates the readers of the shards of one pipeline, and lists the current ones. */
public final class ShardReaders {
    private final TaskSettings settings;
    private final PipelineEnvironment environment;
    private final ExtractOrder order;
    private final TableRegistry tables;
    private final PayloadStore store;
    private final List<ShardReader> readers = new CopyOnWriteArrayList<>();

    /**
     * @param environment with metrics of the pipeline
     * @param order in which the tokens leave the extractors
     * @param tables shared by all readers
     */
    ShardReaders(
            TaskSettings settings,
            PipelineEnvironment environment,
            ExtractOrder order,
            PayloadStore store,
            TableRegistry tables) {
        this.settings = settings;
        this.environment = environment;
        this.order = order;
        this.tables = tables;
        this.store = store;
    }

    ShardReader make(ShardSource source) {
        Metrics own = environment.metrics().child();
        Link<Token> link =
                new Link<>("extract-" + source.name(), settings.links().tokens(), environment.clock());
        own.register(link);
        Extractor extractor = new Extractor(
                source,
                new ReplicationClient(
                        settings.extract(), environment.reader(), environment.client(), environment.clock()),
                new ExtractTarget(order, store, tables),
                link,
                own);
        ShardReader reader = new ShardReader(source.index(), source.from(), extractor, link, own);
        readers.add(reader);
        return reader;
    }

    /** The current readers, in the order of their indexes; any thread. */
    public List<ShardReader> all() {
        return List.copyOf(readers);
    }

    /** The shards that cannot be read until an operator acts; any thread. */
    public List<PipelineStatus.HeldShard> held() {
        return readers.stream()
                .map(reader -> new PipelineStatus.HeldShard(
                        reader.name(), reader.extractor().held()))
                .filter(shard -> !shard.reason().isEmpty())
                .toList();
    }

    /** Removes a reader that has ended, with its metrics. */
    void forget(ShardReader reader) {
        readers.remove(reader);
        reader.metrics().close();
    }

    /** Removes all readers after they have ended. */
    void close() {
        all().forEach(this::forget);
    }
}
