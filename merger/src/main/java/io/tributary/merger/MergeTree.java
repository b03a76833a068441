package io.tributary.merger;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A tree of mergers, joined by links, in which no merger has more than {@code fanIn} sources. It gives the same tokens in the same order
 * as one flat merger, however the shards are divided among the mergers: every merger orders by (key, shard).
 *
 * @param stages the mergers, sources first; the last one writes to the outlet
 * @param links the links between them
 */
public record MergeTree(List<Merger> stages, List<Link<Token>> links) {
    /** Name of the root; the names of the other mergers and of the links add level and index to it. */
    private static final String ROOT = "merge";

    public MergeTree {
        stages = List.copyOf(stages);
        links = List.copyOf(links);
    }

    /**
     * @param sources one for each shard, in the order of the shards
     * @param out receives the tokens of the last merger
     * @param demand the requests for rounds of mergers that wait
     */
    public static MergeTree of(
            List<? extends Inlet<Token>> sources,
            Outlet<Token> out,
            MergeLinks joins,
            RoundRequest demand,
            Metrics metrics) {
        int fanIn = joins.fanIn();
        List<Merger> stages = new ArrayList<>();
        List<Link<Token>> links = new ArrayList<>();
        List<? extends Inlet<Token>> level = sources;
        for (int depth = 1; level.size() > fanIn; depth++) {
            List<Link<Token>> next = new ArrayList<>();
            int groups = (level.size() + fanIn - 1) / fanIn;
            for (int group = 0; group < groups; group++) {
                String part = ROOT + "-" + depth + "-" + group;
                Link<Token> link = joins.link(part);
                metrics.register(link);
                stages.add(new Merger(part, share(level, group, groups), link, demand, metrics));
                next.add(link);
            }
            links.addAll(next);
            level = next;
        }
        stages.add(new Merger(ROOT, level, out, demand, metrics));
        return new MergeTree(stages, links);
    }

    /** The merger that writes to the outlet. */
    public Merger root() {
        return stages.get(stages.size() - 1);
    }

    /** The mergers below the root, sources first; empty if one merger is enough. */
    public List<Merger> lower() {
        return stages.subList(0, stages.size() - 1);
    }

    /**
     * Adds a source to the merger that has the fewest sources. The source should already have a token, because the other sources wait for its
     * first one. Called from any thread while the stages run.
     */
    public CompletableFuture<Void> add(Inlet<Token> source) {
        Merger smallest = stages.get(stages.size() - 1);
        for (Merger merger : stages) {
            boolean isInUse = merger.sourceCount() > 0;
            smallest = isInUse && merger.sourceCount() < smallest.sourceCount() ? merger : smallest;
        }
        return smallest.add(source);
    }

    /**
     * Stops reading from a source. A merger without sources is removed from its own reader too. Called from any thread except a stage's, while
     * the stages run.
     *
     * @return completes with the links that are no longer read; the caller empties them when nothing writes to them any more
     */
    public CompletableFuture<List<Inlet<Token>>> remove(Inlet<Token> source) {
        for (Merger merger : stages) {
            if (merger.readsFrom(source)) {
                return merger.remove(source).thenCompose(removed -> removeIfEmpty(merger, source));
            }
        }
        return CompletableFuture.completedFuture(List.of(source));
    }

    private CompletableFuture<List<Inlet<Token>>> removeIfEmpty(Merger merger, Inlet<Token> source) {
        List<Inlet<Token>> unread = new ArrayList<>(List.of(source));
        for (Link<Token> link : links) {
            if (merger.sourceCount() == 0 && merger.writesTo(link)) {
                return remove(link).thenApply(more -> {
                    unread.addAll(more);
                    return unread;
                });
            }
        }
        return CompletableFuture.completedFuture(unread);
    }

    /** The sources of one group. The sizes of the groups differ by one at most. */
    private static <T> List<T> share(List<T> sources, int group, int groups) {
        int from = (int) ((long) sources.size() * group / groups);
        int to = (int) ((long) sources.size() * (group + 1) / groups);
        return sources.subList(from, to);
    }
}
