package io.tributary.merger;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The stage that merges several queues of tokens into one, ordered by (key, shard). The result does not depend on which shards were merged
 * before. The order within one queue is always kept, whatever its keys are.
 *
 * <p>An empty queue takes part with the key of its last token: no smaller key can follow, so the other queues wait only where they would
 * overtake it. The merger does not wait for a queue that is empty and {@link Link#isSilent silent}. Later tokens of such a queue take part
 * with their keys, even if these are smaller than keys that have left already.
 *
 * <p>Tokens stay in their inlets until there is room for them; the merger itself holds none.
 */
public final class Merger implements Stage {
    private static final int BATCH = 1024;
    /**
     * Calls in a row without a token before the other sources are polled. Each poll takes a cache line from the core that writes to that
     * source, and nearly always the token arrives within the first calls.
     */
    private static final int IDLE_CALLS = 10;

    private final String name;
    private final Outlet<Token> out;
    private final Link<Token> keyedOut; // null if no other merger follows
    private final RoundRequest demand;
    private final Metrics metrics;
    private final StageCalls calls = new StageCalls();
    private volatile List<Inlet<Token>> sources; // changed by the merger's own thread only
    private Inlet<Token>[] from; // the same sources as an array
    private Link<Token>[] keyedFrom; // the sources that carry keys; null at the index of others
    private LoserTree tree;

    /** Per source: whether its key in the tree is that of its head; otherwise it is that of the last token that was polled. */
    private boolean[] hasHead;

    /** Per source: whether it is silent. Silent sources are last in the tree until the tree is rebuilt. */
    private boolean[] parked;

    private int parkedCount;
    private Count[] waits;
    private int nextSourceId;
    private int idleCalls;

    /**
     * @param sources in the order of their shards; this merger is their only reader
     * @param demand asked for a round when tokens wait here for a source without tokens
     * @param metrics counts how often each source was waited for
     */
    Merger(String name, List<? extends Inlet<Token>> sources, Outlet<Token> out, RoundRequest demand, Metrics metrics) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException(name + ": expected at least one source, found none");
        }
        this.name = name;
        this.out = out;
        this.keyedOut = out instanceof Link<Token> link && link.isKeyed() ? link : null;
        this.demand = demand;
        this.metrics = metrics;
        this.waits = new Count[sources.size()];
        Arrays.setAll(waits, source -> newCount());
        change(sources);
    }

    private Count newCount() {
        Count count = new Count();
        String source = Integer.toString(nextSourceId++);
        metrics.register(Metric.MERGE_WAITS, count::value, "merger", name, "source", source);
        return count;
    }

    @Override
    public String name() {
        return name;
    }

    /** Moves tokens while the smallest key is known and the outlet has room. */
    @Override
    public int doWork() {
        int moved = calls.run();
        if (parkedCount > 0) {
            unpark();
        }
        while (moved < BATCH && parkedCount < from.length && out.hasRoom()) {
            int source = tree.winner();
            Inlet<Token> inlet = from[source];
            if (hasHead[source]) {
                put(inlet.poll());
                moved++;
            }
            Token next = inlet.peek();
            hasHead[source] = next != null;
            if (next == null && isSilent(source)) {
                park(source);
                continue;
            }
            if (next == null) {
                waitFor(source, moved);
                break;
            }
            replace(keyedFrom[source], next);
        }
        if (keyedOut != null) {
            keyedOut.flush();
        }
        return moved;
    }

    // ---- sources that are silent

    private boolean isSilent(int source) {
        return from[source] instanceof Link<?> link && link.isSilent();
    }

    /** The merger does not wait for the winner until it has a token. */
    private void park(int source) {
        parked[source] = true;
        parkedCount++;
        tree.replace(Long.MAX_VALUE, source);
        if (keyedOut != null && parkedCount == from.length) {
            keyedOut.silent(true);
        }
    }

    /** A parked source takes part again when it has a token or is no longer silent. */
    private void unpark() {
        for (int source = 0; source < from.length; source++) {
            if (parked[source] && (from[source].peek() != null || !isSilent(source))) {
                change(sources);
                return;
            }
        }
    }

    /** Passes on the winner's token, with the winner's key if another merger follows. */
    private void put(Token token) {
        if (keyedOut == null) {
            out.put(token);
        } else {
            keyedOut.put(token, tree.winnerKey(), tree.winnerRank());
        }
    }

    /** Takes the key of a token of another merger from the link: the token itself is in another core's cache. */
    private void replace(Link<Token> keyed, Token next) {
        if (keyed != null) {
            tree.replace(keyed.headKey(), keyed.headRank());
        } else {
            tree.replace(next.key(), next.shard());
        }
    }

    // ---- sources that are added and removed

    /** Whether the merger reads from this link now; any thread. */
    boolean readsFrom(Inlet<Token> source) {
        return sources.contains(source);
    }

    /** The number of sources now; any thread. */
    int sourceCount() {
        return sources.size();
    }

    /** Whether the merger writes to this link. */
    boolean writesTo(Inlet<Token> link) {
        return out == link;
    }

    /** Adds a source after all others; the others wait until it has a token. Called from any thread. */
    CompletableFuture<Void> add(Inlet<Token> source) {
        return calls.submit(() -> {
            List<Inlet<Token>> more = new ArrayList<>(sources);
            more.add(source);
            waits = Arrays.copyOf(waits, more.size());
            waits[more.size() - 1] = newCount();
            change(more);
        });
    }

    /** Stops reading from a source and waiting for it; the tokens in its link stay there. Called from any thread. */
    CompletableFuture<Void> remove(Inlet<Token> source) {
        return calls.submit(() -> {
            int at = sources.indexOf(source);
            List<Inlet<Token>> less = new ArrayList<>(sources);
            less.remove(at);
            Count[] counts = new Count[less.size()];
            System.arraycopy(waits, 0, counts, 0, at);
            System.arraycopy(waits, at + 1, counts, at, counts.length - at);
            waits = counts;
            change(less);
        });
    }

    /** Sets the sources and builds the tree again: every source is polled for its key again. */
    @SuppressWarnings("unchecked") // arrays of generic types
    private void change(List<? extends Inlet<Token>> newSources) {
        sources = List.copyOf(newSources);
        from = newSources.toArray(Inlet[]::new);
        keyedFrom = (Link<Token>[]) new Link<?>[from.length];
        Arrays.setAll(keyedFrom, source -> keyed(from[source]));
        tree = new LoserTree(Math.max(1, newSources.size()));
        hasHead = new boolean[newSources.size()];
        parked = new boolean[newSources.size()];
        parkedCount = 0;
        if (keyedOut != null) {
            keyedOut.silent(false);
        }
    }

    private static Link<Token> keyed(Inlet<Token> source) {
        return source instanceof Link<Token> link && link.isKeyed() ? link : null;
    }

    /** Requests a round if other tokens than rounds wait: rounds that wait for rounds would never end. */
    private void waitFor(int empty, int moved) {
        idleCalls = moved > 0 ? 0 : Math.min(idleCalls + 1, IDLE_CALLS);
        if (idleCalls < IDLE_CALLS) {
            return;
        }
        for (Inlet<Token> source : sources) {
            Token head = source.peek();
            if (head != null && head.kind() != TokenKind.ROUND && head.kind() != TokenKind.SKIPPED) {
                waits[empty].add(1);
                demand.request();
                return;
            }
        }
    }

    /** A request for a round must not wait until the end of a rest. */
    @Override
    public long restNanos() {
        return idleCalls < IDLE_CALLS && parkedCount < from.length && out.hasRoom() ? 0 : LONGEST_REST_NANOS;
    }

    /** Releases the payload of the tokens that are not read any more. */
    @Override
    public void close() {
        calls.close();
        for (Inlet<Token> source : sources) {
            source.drain(Token::release);
        }
    }
}
