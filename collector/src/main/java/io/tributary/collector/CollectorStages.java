package io.tributary.collector;

import io.tributary.collector.rows.CollectorStore;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.BufferPool;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The stages of collecting, joined by their ring. Each may have its own thread, or several share one. All of them must be closed.
 *
 * @param collector puts tokens into order
 * @param workers encode transactions
 * @param publisher sends chunks
 */
public record CollectorStages(Collector collector, List<EncodeWorker> workers, Publisher publisher) {
    private static final int SLOTS = 32;
    /** Direct memory for transactions that are encoded and wait to be written or sent. */
    private static final long MOST_LAID_OUT = 64 << 20;

    public CollectorStages {
        workers = List.copyOf(workers);
    }

    /**
     * The values in the events that the collector makes.
     *
     * @param serverId the global binlog's server_id, 1..2^32-1
     * @param serverVersion in the form of GTID events, such as 80036
     */
    public record Origin(long serverId, int serverVersion) {
        private TransactionEncoder encoder() {
            return new TransactionEncoder(serverId, serverVersion);
        }
    }

    /** The stages for `xa` order. */
    public static CollectorStages of(
            CollectorConfig config,
            Origin origin,
            Cut start,
            Inlet<Token> in,
            Outlet<Chunk> out,
            RoundRequest demand,
            Metrics metrics,
            Clock clock,
            LongSupplier epoch,
            CollectorStore store) {
        return of(config, OrderMode.XA, origin, start, in, out, demand, metrics, clock, epoch, store);
    }

    /**
     * @param mode which order
     * @param start where to resume; contains all shards in the order of their indexes
     * @param in merged tokens; the collector becomes their only reader and owns their payload
     * @param out receives batches, large transactions in pieces, and a cut after each; numbers start at 1
     * @param demand notified while a transaction waits for a round
     * @param epoch the epoch of the writer of rounds; the collector's thread reads it for each cut
     * @param store what the collector keeps in the node's store
     */
    public static CollectorStages of(
            CollectorConfig config,
            OrderMode mode,
            Origin origin,
            Cut start,
            Inlet<Token> in,
            Outlet<Chunk> out,
            RoundRequest demand,
            Metrics metrics,
            Clock clock,
            LongSupplier epoch,
            CollectorStore store) {
        BatchRing ring = new BatchRing(SLOTS, config.workers(), new BufferPool(MOST_LAID_OUT));
        Collector collector =
                new Collector("collect", config, mode, start, in, ring, demand, metrics, clock, epoch, store);
        List<EncodeWorker> workers = new ArrayList<>();
        for (int worker = 0; worker < config.workers(); worker++) {
            workers.add(new EncodeWorker("prepare-" + worker, ring, worker, origin.encoder()));
        }
        return new CollectorStages(collector, workers, new Publisher("publish", ring, out, origin.encoder()));
    }

    /** All stages, in the order in which a transaction passes them. */
    public List<Stage> all() {
        List<Stage> all = new ArrayList<>();
        all.add(collector);
        all.addAll(workers);
        all.add(publisher);
        return all;
    }
}
