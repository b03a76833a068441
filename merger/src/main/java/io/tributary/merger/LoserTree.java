package io.tributary.merger;

import java.util.Arrays;

/**
 * A tree of losers over 64-bit keys. The winner is the source with the smallest key; of equal keys the one with the lowest rank wins.
 * Sources that have no key yet win before all others. Replacing the winner's key costs one comparison per level (Knuth, The Art of
 * Computer Programming 3, 5.4.1).
 */
final class LoserTree {
    private final long[] keys;
    private final int[] ranks;
    private final int[] losers;
    private final int sources;

    /** At first no source has a key, so each of them wins once, source 0 first. */
    LoserTree(int sources) {
        this.sources = sources;
        this.keys = new long[sources];
        this.ranks = new int[sources];
        Arrays.fill(keys, Long.MIN_VALUE);
        Arrays.setAll(ranks, source -> source);
        this.losers = new int[Math.max(1, sources)];
        rebuild();
    }

    private void rebuild() {
        int[] winners = new int[2 * sources];
        for (int leaf = 0; leaf < sources; leaf++) {
            winners[sources + leaf] = leaf;
        }
        Arrays.fill(losers, 0);
        for (int node = sources - 1; node > 0; node--) {
            int left = winners[2 * node];
            int right = winners[2 * node + 1];
            boolean leftWins = isBefore(keys[left], ranks[left], keys[right], ranks[right]);
            winners[node] = leftWins ? left : right;
            losers[node] = leftWins ? right : left;
        }
        losers[0] = sources == 1 ? 0 : winners[1];
    }

    int winner() {
        return losers[0];
    }

    long winnerKey() {
        return keys[losers[0]];
    }

    int winnerRank() {
        return ranks[losers[0]];
    }

    /**
     * Sets the winner's next key and rank and replays the path from its leaf to the root. Any values are allowed, but no two sources may have
     * the same key and the same rank.
     */
    void replace(long key, int rank) {
        int winner = losers[0];
        int challenger = winner;
        keys[winner] = key;
        ranks[winner] = rank;
        for (int node = (sources + winner) >>> 1; node > 0; node >>>= 1) {
            int loser = losers[node];
            long loserKey = keys[loser];
            if (loserKey < key || loserKey == key && ranks[loser] < rank) {
                losers[node] = challenger;
                challenger = loser;
                key = loserKey;
                rank = ranks[loser];
            }
        }
        losers[0] = challenger;
    }

    private static boolean isBefore(long leftKey, int leftRank, long rightKey, int rightRank) {
        return leftKey < rightKey || leftKey == rightKey && leftRank < rightRank;
    }
}
