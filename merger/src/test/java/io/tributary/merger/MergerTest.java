package io.tributary.merger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order that mergers and trees of mergers give, and the sources that they wait for. */
class MergerTest {
    private static final Sid SID = new Sid(new UUID(1, 2));

    private final RoundRequest demand = new RoundRequest();
    private final Metrics metrics = new Metrics();
    private final Link<Token> out = new Link<>("merged", 1 << 16, Clock.SYSTEM);

    private static Token token(int shard, long key, long gno, TokenBody body) {
        LoggedTransaction logged = new LoggedTransaction(SID, gno, "binlog.000001", gno, 0, 0, 0);
        return new Token(shard, key, 0, logged, body);
    }

    private static Token local(int shard, long key, long gno) {
        return token(shard, key, gno, new TokenBody.LocalTransaction(null, List.of()));
    }

    private static List<Link<Token>> links(int count) {
        List<Link<Token>> links = new ArrayList<>();
        for (int shard = 0; shard < count; shard++) {
            links.add(new Link<>("shard " + shard, 1 << 14, Clock.SYSTEM));
        }
        return links;
    }

    private List<Token> drained() {
        List<Token> tokens = new ArrayList<>();
        for (Token token = out.poll(); token != null; token = out.poll()) {
            tokens.add(token);
        }
        return tokens;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 16, 33, 100})
    void everyShapeOfTreeGivesTheSortedOrder(int sources) {
        SplittableRandom random = new SplittableRandom(sources);
        for (int run = 0; run < 20; run++) {
            List<Link<Token>> links = links(sources);
            int fanIn = random.nextInt(2, 2 + sources);
            MergeTree tree = MergeTree.of(links, out, new MergeLinks(fanIn, 8, Clock.SYSTEM), demand, metrics);
            List<Token> expected = feed(random, links, 40);
            int idle = 0;
            while (idle < 2) {
                int done = 0;
                for (Merger stage : tree.stages()) {
                    done += stage.doWork();
                }
                idle = done == 0 ? idle + 1 : 0;
            }
            assertEquals(expected, drained());
            metrics.close();
        }
    }

    /** Fills the links with increasing keys, many of them equal, and a last token that is larger than all; returns the expected keys. */
    private static List<Token> feed(SplittableRandom random, List<Link<Token>> links, int most) {
        List<Token> all = new ArrayList<>();
        for (int shard = 0; shard < links.size(); shard++) {
            long key = 0;
            int count = random.nextInt(most);
            for (int gno = 1; gno <= count; gno++) {
                key += random.nextInt(4);
                Token token = local(shard, key, gno);
                all.add(token);
                links.get(shard).put(token);
            }
            links.get(shard).put(local(shard, 1_000_000 + shard, count + 1));
        }
        all.sort(Comparator.comparingLong((Token token) -> token.key()).thenComparingInt(Token::shard));
        all.add(local(0, 1_000_000, links.get(0).depth()));
        return all;
    }

    private static void runUntilIdle(MergeTree tree) {
        int idle = 0;
        while (idle < 3) {
            int done = 0;
            for (Merger stage : tree.stages()) {
                done += stage.doWork();
            }
            idle = done == 0 ? idle + 1 : 0;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 17})
    void addsAndRemovesSourcesInEveryShapeOfTree(int sources) {
        SplittableRandom random = new SplittableRandom(sources);
        for (int run = 0; run < 20; run++) {
            List<Link<Token>> links = links(sources);
            MergeTree tree = MergeTree.of(
                    links, out, new MergeLinks(random.nextInt(2, 2 + sources), 1 << 12, Clock.SYSTEM), demand, metrics);
            List<Token> expected = new ArrayList<>();
            List<Link<Token>> present = new ArrayList<>(links);
            int shards = sources;
            for (int change = 0; change < 12; change++) {
                for (Link<Token> link : present) {
                    Token token = local(links.indexOf(link), change, 1 + expected.size());
                    expected.add(token);
                    link.put(token);
                }
                runUntilIdle(tree);
                if (present.size() > 1 && random.nextBoolean()) {
                    Link<Token> gone = present.remove(random.nextInt(present.size()));
                    var unread = tree.remove(gone);
                    runUntilIdle(tree);
                    assertSame(gone, unread.join().get(0));
                    for (Inlet<Token> link : unread.join()) {
                        for (Token token = link.poll(); token != null; token = link.poll()) {
                            expected.remove(token);
                        }
                    }
                } else {
                    Link<Token> more = new Link<>("shard " + shards++, 1 << 14, Clock.SYSTEM);
                    var added = tree.add(more);
                    runUntilIdle(tree);
                    assertTrue(added.isDone());
                    links.add(more);
                    present.add(more);
                }
            }
            for (Link<Token> link : present) {
                link.put(local(links.indexOf(link), 1_000, 1));
            }
            runUntilIdle(tree);
            List<Token> got = drained();
            got.removeIf(token -> token.key() == 1_000);
            assertEquals(expected.size(), got.size(), "run " + run);
            assertEquals(
                    expected.stream()
                            .map(token -> token.key() + " " + token.shard())
                            .sorted()
                            .toList(),
                    got.stream()
                            .map(token -> token.key() + " " + token.shard())
                            .sorted()
                            .toList());
            metrics.close();
        }
    }

    @Test
    void waitsForANewSourceAndNotForARemovedOne() {
        List<Link<Token>> links = links(2);
        MergeTree tree = MergeTree.of(links, out, new MergeLinks(4, 8, Clock.SYSTEM), demand, metrics);
        Link<Token> third = new Link<>("shard 2", 8, Clock.SYSTEM);
        var added = tree.add(third);
        links.get(0).put(local(0, 10, 1));
        links.get(1).put(local(1, 11, 1));
        runUntilIdle(tree);
        assertTrue(added.isDone());
        assertEquals(List.of(), drained());
        third.put(local(2, 3, 1));
        third.put(local(2, 12, 2));
        runUntilIdle(tree);
        assertEquals(
                List.of(3L, 10L), drained().stream().map(token -> token.key()).toList());
        var removed = tree.remove(links.get(0));
        runUntilIdle(tree);
        assertEquals(List.of(links.get(0)), removed.join());
        links.get(1).put(local(1, 20, 2));
        runUntilIdle(tree);
        assertEquals(
                List.of(11L, 12L), drained().stream().map(token -> token.key()).toList());
    }

    @Test
    void waitsWhileASourceIsEmpty() {
        List<Link<Token>> links = links(3);
        Merger merger = new Merger("merge", links, out, demand, metrics);
        links.get(0).put(local(0, 10, 1));
        links.get(2).put(local(2, 5, 1));
        assertEquals(0, merger.doWork());
        assertFalse(demand.isRequested(), "it may arrive soon");
        runIdle(merger);
        assertTrue(demand.isRequested());
        links.get(1).put(local(1, 7, 1));
        assertEquals(1, merger.doWork(), "only that of shard 2: another one before 7 may follow");
        links.get(2).put(local(2, 20, 2));
        assertEquals(1, merger.doWork(), "that of shard 1: now another one before 10 may follow");
        assertEquals(
                List.of(5L, 7L), drained().stream().map(token -> token.key()).toList());
        assertTrue(metrics.scrape().contains("tributary_merge_waits_total{merger=\"merge\",source=\"1\"} 12.0"));
    }

    @Test
    void doesNotWaitForASilentSourceUntilItHasATokenOrIsNotSilent() {
        List<Link<Token>> links = links(3);
        Merger merger = new Merger("merge", links, out, demand, metrics);
        links.get(1).put(local(1, 1, 1));
        links.get(1).silent(true);
        links.get(0).put(local(0, 10, 1));
        links.get(0).put(local(0, 30, 2));
        links.get(2).put(local(2, 20, 1));
        links.get(2).put(local(2, 40, 2));
        merger.doWork();
        assertEquals(List.of(1L, 10L, 20L, 30L), keys(), "it was read, and the merger does not wait for it");
        links.get(1).put(local(1, 15, 2));
        links.get(0).put(local(0, 50, 3));
        merger.doWork();
        assertEquals(List.of(15L, 40L), keys(), "its tokens take part");
        links.get(1).silent(false);
        links.get(2).put(local(2, 60, 3));
        merger.doWork();
        assertEquals(List.of(), keys(), "the merger waits for it");
        links.get(1).put(local(1, 55, 3));
        merger.doWork();
        assertEquals(List.of(50L), keys(), "another one of shard 0 before 55 may follow");
    }

    @Test
    void aMergerAllOfWhoseSourcesAreSilentIsSilentToo() {
        List<Link<Token>> links = links(4);
        MergeTree tree = MergeTree.of(links, out, new MergeLinks(2, 8, Clock.SYSTEM), demand, metrics);
        links.get(2).silent(true);
        links.get(3).silent(true);
        links.get(0).put(local(0, 10, 1));
        links.get(1).put(local(1, 20, 1));
        runUntilIdle(tree);
        assertEquals(List.of(10L), keys());
        links.get(3).put(local(3, 5, 1));
        links.get(0).put(local(0, 30, 2));
        runUntilIdle(tree);
        assertEquals(List.of(5L, 20L), keys());
        links.get(2).silent(false);
        links.get(1).put(local(1, 40, 2));
        runUntilIdle(tree);
        assertEquals(List.of(), keys(), "the merger waits for shard 2 again");
    }

    private List<Long> keys() {
        return drained().stream().map(Token::key).toList();
    }

    /** More calls than a merger makes before it polls the other sources. */
    private static void runIdle(Merger merger) {
        for (int turn = 0; turn < 20; turn++) {
            assertEquals(0, merger.doWork());
        }
    }

    @Test
    void overtakesAnEmptySourceThatCanOnlyGiveLargerKeys() {
        List<Link<Token>> links = links(2);
        Merger merger = new Merger("merge", links, out, demand, metrics);
        links.get(0).put(local(0, 10, 1));
        links.get(1).put(local(1, 50, 1));
        links.get(0).put(local(0, 50, 2));
        merger.doWork();
        links.get(0).put(local(0, 60, 3));
        merger.doWork();
        assertEquals(
                List.of(10L, 50L, 50L),
                drained().stream().map(token -> token.key()).toList());
        links.get(1).put(local(1, 70, 2));
        merger.doWork();
        assertEquals(List.of(60L), drained().stream().map(token -> token.key()).toList());
        links.get(0).put(local(0, 65, 4));
        links.get(0).put(local(0, 70, 5));
        merger.doWork();
        assertEquals(
                List.of(65L, 70L), drained().stream().map(token -> token.key()).toList());
    }

    @Test
    void roundsThatWaitForRoundsRequestNone() {
        List<Link<Token>> links = links(2);
        Merger merger = new Merger("merge", links, out, demand, metrics);
        links.get(0).put(token(0, 5, 1, new TokenBody.HeartbeatRound(0, null)));
        runIdle(merger);
        assertFalse(demand.isRequested());
        links.get(0).put(local(0, 6, 2));
        runIdle(merger);
        assertFalse(demand.isRequested(), "the round before it has been sent already");
    }

    @Test
    void keepsASourcesOwnOrderWhateverItsKeys() {
        List<Link<Token>> links = links(2);
        Merger merger = new Merger("merge", links, out, demand, metrics);
        long[] keys = {9, 3, 8, 1, 100};
        for (int i = 0; i < keys.length; i++) {
            links.get(0).put(local(0, keys[i], i + 1));
        }
        links.get(1).put(local(1, 5, 1));
        links.get(1).put(local(1, 200, 2));
        merger.doWork();
        List<Token> merged = drained();
        assertEquals(
                List.of(1L, 2L, 3L, 4L, 5L),
                merged.stream().filter(t -> t.shard() == 0).map(Token::gno).toList());
    }

    @Test
    void pollsNothingWithoutRoomAndLosesNothing() {
        List<Link<Token>> links = links(2);
        Link<Token> narrow = new Link<>("narrow", 1, Clock.SYSTEM);
        Merger merger = new Merger("merge", links, narrow, demand, metrics);
        Token first = local(0, 1, 1);
        links.get(0).put(first);
        links.get(0).put(local(0, 3, 2));
        links.get(1).put(local(1, 2, 1));
        merger.doWork();
        assertEquals(0, merger.doWork());
        assertEquals(1, links.get(0).depth());
        assertSame(first, narrow.poll());
        assertEquals(1, merger.doWork());
        assertEquals(2, narrow.poll().key());
        assertNull(narrow.poll());
    }

    @Test
    void refusesATreeWithoutSources() {
        assertThrows(IllegalArgumentException.class, () -> new Merger("merge", List.of(), out, demand, metrics));
    }
}
