package io.tributary.collector;

import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The stages of collecting, joined by their ring. Each may have a thread of its own, or several share one; all of them must
 * be closed.
 *
 * @param collector puts tokens into order
 * @param workers lay out bytes
 * @param publisher sends chunks
 */
public record CollectorStages(Collector collector, List<PrepareWorker> workers, Publisher publisher) {
    private static final int SLOTS = 32;
    /** Direct memory for transactions that are laid out and wait to be written or sent. */
    private static final long MOST_LAID_OUT = 64 << 20;

    public CollectorStages {
        workers = List.copyOf(workers);
    }

    /**
     * What stands in the events that the collector makes.
     *
     * @param serverId the global binlog's server_id, 1..2^32-1
     * @param serverVersion as GTID events write it, such as 80036
     */
    public record Origin(long serverId, int serverVersion) {
        private TransactionLayout layout() {
            return new TransactionLayout(serverId, serverVersion);
        }
    }

    /** Those of `xa` order. */
    public static CollectorStages of(
            CollectorConfig config,
            Origin origin,
            Cut start,
            Inlet<Token> in,
            Outlet<Chunk> out,
            RoundDemand demand,
            Metrics metrics,
            Clock clock,
            LongSupplier epoch,
            CollectorStore store) {
        return of(config, OrderMode.XA, origin, start, in, out, demand, metrics, clock, epoch, store);
    }

    /**
     * @param mode which order
     * @param start where to go on; has all shards in the order of their indexes
     * @param in merged tokens; the collector becomes their only reader and owns their payload
     * @param out takes batches, large transactions in pieces, and a cut behind each; numbers begin with 1
     * @param demand told while a transaction waits for a round
     * @param epoch the epoch of the writer of rounds; asked by the collector's thread for each cut
     * @param store what it keeps there
     */
    public static CollectorStages of(
            CollectorConfig config,
            OrderMode mode,
            Origin origin,
            Cut start,
            Inlet<Token> in,
            Outlet<Chunk> out,
            RoundDemand demand,
            Metrics metrics,
            Clock clock,
            LongSupplier epoch,
            CollectorStore store) {
        SlotRing ring = new SlotRing(SLOTS, config.workers(), new BufferPool(MOST_LAID_OUT));
        Collector collector =
                new Collector("collect", config, mode, start, in, ring, demand, metrics, clock, epoch, store);
        List<PrepareWorker> workers = new ArrayList<>();
        for (int worker = 0; worker < config.workers(); worker++) {
            workers.add(new PrepareWorker("prepare-" + worker, ring, worker, origin.layout()));
        }
        return new CollectorStages(collector, workers, new Publisher("publish", ring, out, origin.layout()));
    }

    /** All of them, in the order in which a transaction passes. */
    public List<Stage> all() {
        List<Stage> all = new ArrayList<>();
        all.add(collector);
        all.addAll(workers);
        all.add(publisher);
        return all;
    }
}
