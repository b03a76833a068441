package io.tributary.merger;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Merges K queues of tokens into one, by (key, shard), so that it does not matter which shards came together before. The
 * order within a queue is kept whatever its keys are. An empty queue takes part with the key that it gave last: nothing smaller can follow, so the others are held back
 * only where they would overtake. One that is {@link Link#isSilent silent} and empty is not waited for; what it brings later takes part with its keys, be
 * they smaller than what has left.
 *
 * <p>Tokens stay in their inlets until there is room for them; the merger itself holds none.
 */
public final class Merger implements Stage {
    private static final int BATCH = 1024;
    /**
     * Turns in a row without a token before the other sources are looked at: each look takes a cache line from the core that writes
     * there, and nearly always the token comes within the first turns.
     */
    private static final int PATIENCE = 10;

    private final String name;
    private final Outlet<Token> out;
    private final Link<Token> keyedOut; // null where no other merger follows
    private final RoundDemand demand;
    private final Metrics metrics;
    private final StageCalls calls = new StageCalls();
    private volatile List<Inlet<Token>> sources; // changed by the merger's own thread only
    private Inlet<Token>[] from; // the same
    private Link<Token>[] keyedFrom; // those of them that show keys; null in the place of others
    private LoserTree tree;

    /** Whether the tree's key of a source is that of its head, or of the last token that was taken from it. */
    private boolean[] hasHead;

    /** Sources that are silent: they come last in the tournament, until it begins again. */
    private boolean[] parked;

    private int parkedCount;
    private Count[] waits;
    private int sourcesEver;
    private int idleTurns;

    /**
     * @param sources in the order of their shards; this is their only reader
     * @param demand told when tokens wait here for a silent source
     * @param metrics shows how often each source was waited for
     */
    public Merger(
            String name, List<? extends Inlet<Token>> sources, Outlet<Token> out, RoundDemand demand, Metrics metrics) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException(name + ": a merger needs at least one source");
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
        String source = Integer.toString(sourcesEver++);
        metrics.register(Metric.MERGE_WAITS, count::value, "merger", name, "source", source);
        return count;
    }

    @Override
    public String name() {
        return name;
    }

    /** Moves tokens while the smallest is known and there is room for it. */
    @Override
    public int doWork() {
        int moved = calls.run();
        if (parkedCount > 0) {
            takeBackParked();
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

    /** Nobody waits for the winner until it has a token. */
    private void park(int source) {
        parked[source] = true;
        parkedCount++;
        tree.replace(Long.MAX_VALUE, source);
        if (keyedOut != null && parkedCount == from.length) {
            keyedOut.silent(true);
        }
    }

    /** A source that has a token, or is to be waited for, takes part again from its first key on. */
    private void takeBackParked() {
        for (int source = 0; source < from.length; source++) {
            if (parked[source] && (from[source].peek() != null || !isSilent(source))) {
                change(sources);
                return;
            }
        }
    }

    /** The winner's token goes on, with the winner's key where another merger follows. */
    private void put(Token token) {
        if (keyedOut == null) {
            out.put(token);
        } else {
            keyedOut.put(token, tree.winnerKey(), tree.winnerRank());
        }
    }

    /** Another merger's token is not looked at: it lies in another core's cache, its key here. */
    private void replace(Link<Token> keyed, Token next) {
        if (keyed != null) {
            tree.replace(keyed.headKey(), keyed.headRank());
        } else {
            tree.replace(next.key(), next.shard());
        }
    }

    // ---- sources that come and go

    /** Whether it reads from this link now; any thread. */
    boolean readsFrom(Inlet<Token> source) {
        return sources.contains(source);
    }

    /** How many sources it has now; any thread. */
    int sourceCount() {
        return sources.size();
    }

    /** Whether it writes to this link. */
    boolean writesTo(Inlet<Token> link) {
        return out == link;
    }

    /** One more source, behind all others; the merger holds the others back until it has a token. Any thread may ask. */
    CompletableFuture<Void> add(Inlet<Token> source) {
        return calls.tell(() -> {
            List<Inlet<Token>> more = new ArrayList<>(sources);
            more.add(source);
            waits = Arrays.copyOf(waits, more.size());
            waits[more.size() - 1] = newCount();
            change(more);
        });
    }

    /** Reads from a source no more, and does not wait for it; what is in its link stays there. Any thread may ask. */
    CompletableFuture<Void> remove(Inlet<Token> source) {
        return calls.tell(() -> {
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

    /** The tournament begins anew: every source is asked for its key again. */
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

    /** Asks for a round if anything but rounds is held back: rounds waiting for rounds would never end. */
    private void waitFor(int silent, int moved) {
        idleTurns = moved > 0 ? 0 : Math.min(idleTurns + 1, PATIENCE);
        if (idleTurns < PATIENCE) {
            return;
        }
        for (Inlet<Token> source : sources) {
            Token head = source.peek();
            if (head != null && head.kind() != TokenKind.ROUND && head.kind() != TokenKind.SKIPPED) {
                waits[silent].add(1);
                demand.want();
                return;
            }
        }
    }

    /** A wish for a round is not to wait for a sleep's end. */
    @Override
    public long restNanos() {
        return idleTurns < PATIENCE && parkedCount < from.length && out.hasRoom() ? 0 : LONGEST_REST_NANOS;
    }

    /** Gives back the payload of tokens that nobody will read any more. */
    @Override
    public void close() {
        calls.close();
        for (Inlet<Token> source : sources) {
            source.drain(Token::release);
        }
    }
}
