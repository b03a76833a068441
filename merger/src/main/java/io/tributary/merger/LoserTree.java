package io.tributary.merger;

import java.util.Arrays;

/**
 * A tournament over 64-bit keys: the winner is the source with the smallest key, of equal ones the one with the lowest
 * index. Replacing the winner's key costs one comparison a level (Knuth, The Art of Computer Programming 3, 5.4.1).
 */
final class LoserTree {
    private final long[] keys;
    private final int[] losers;
    private final int sources;

    /** All keys are 0 at first, so source 0 wins. */
    LoserTree(int sources) {
        this.sources = sources;
        this.keys = new long[sources];
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
            boolean leftWins = isBefore(keys[left], left, keys[right], right);
            winners[node] = leftWins ? left : right;
            losers[node] = leftWins ? right : left;
        }
        losers[0] = sources == 1 ? 0 : winners[1];
    }

    int winner() {
        return losers[0];
    }

    /** Gives the winner its next key and plays its path again; the key may be any. */
    void replace(long key) {
        int winner = losers[0];
        int challenger = winner;
        keys[winner] = key;
        for (int node = (sources + winner) >>> 1; node > 0; node >>>= 1) {
            int loser = losers[node];
            long loserKey = keys[loser];
            if (isBefore(loserKey, loser, key, challenger)) {
                losers[node] = challenger;
                challenger = loser;
                key = loserKey;
            }
        }
        losers[0] = challenger;
    }

    private static boolean isBefore(long leftKey, int left, long rightKey, int right) {
        return leftKey < rightKey || leftKey == rightKey && left < right;
    }
}
