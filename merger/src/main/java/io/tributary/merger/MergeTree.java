package io.tributary.merger;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Mergers joined by links so that none has more than {@code fanIn} sources. The result is that of one flat merger, token by
 * token, whichever shards share a merger: every merger orders by (key, shard).
 *
 * @param stages the mergers, sources first; the last one writes to the outlet
 * @param links the links between them
 */
public record MergeTree(List<Merger> stages, List<Link<Token>> links) {
    public MergeTree {
        stages = List.copyOf(stages);
        links = List.copyOf(links);
    }

    /**
     * @param name of the mergers and links, which add level and index to it
     * @param sources one for each shard, in their order
     * @param out takes what the last merger gives
     * @param fanIn the most sources of one merger, at least 2
     * @param linkCapacity tokens that a link between mergers holds
     */
    public static MergeTree of(
            String name,
            List<? extends Inlet<Token>> sources,
            Outlet<Token> out,
            int fanIn,
            int linkCapacity,
            RoundDemand demand,
            Metrics metrics,
            Clock clock) {
        if (fanIn < 2) {
            throw new IllegalArgumentException(name + ": a merger of a tree has at least 2 sources, not " + fanIn);
        }
        List<Merger> stages = new ArrayList<>();
        List<Link<Token>> links = new ArrayList<>();
        List<? extends Inlet<Token>> level = sources;
        for (int depth = 1; level.size() > fanIn; depth++) {
            List<Link<Token>> next = new ArrayList<>();
            int groups = (level.size() + fanIn - 1) / fanIn;
            for (int group = 0; group < groups; group++) {
                String part = name + "-" + depth + "-" + group;
                Link<Token> link = Link.keyed(part, linkCapacity, clock);
                metrics.register(link);
                stages.add(new Merger(part, share(level, group, groups), link, demand, metrics));
                next.add(link);
            }
            links.addAll(next);
            level = next;
        }
        stages.add(new Merger(name, level, out, demand, metrics));
        return new MergeTree(stages, links);
    }

    /** The merger that writes to the outlet. */
    public Merger root() {
        return stages.get(stages.size() - 1);
    }

    /** The mergers below the root, sources first; none where one merger is enough. */
    public List<Merger> lower() {
        return stages.subList(0, stages.size() - 1);
    }

    /**
     * One more source, at the merger that has the fewest; it should have a token, since until then the others wait for it. Any thread,
     * while the stages run.
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
     * Reads from a source no more; a merger that has none left is itself read no more. Any thread but a stage's, while the stages run.
     *
     * @return when it is done: the links that nobody reads any more; who asked empties them once nobody writes to them
     */
    public CompletableFuture<List<Inlet<Token>>> remove(Inlet<Token> source) {
        for (Merger merger : stages) {
            if (merger.readsFrom(source)) {
                return merger.remove(source).thenCompose(removed -> withoutEmpty(merger, source));
            }
        }
        return CompletableFuture.completedFuture(List.of(source));
    }

    private CompletableFuture<List<Inlet<Token>>> withoutEmpty(Merger merger, Inlet<Token> source) {
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

    /** The sources of one group: all groups get the same number, but for one. */
    private static <T> List<T> share(List<T> sources, int group, int groups) {
        int from = (int) ((long) sources.size() * group / groups);
        int to = (int) ((long) sources.size() * (group + 1) / groups);
        return sources.subList(from, to);
    }
}
