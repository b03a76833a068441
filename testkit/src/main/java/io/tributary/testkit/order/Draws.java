package io.tributary.testkit.order;

import java.util.ArrayDeque;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The random numbers of a simulation, all from one seed. */
public record Draws(SplittableRandom random) {
    /** A number from {@code from} to before {@code to}; {@code from} if the range is empty. */
    public double uniform(double from, double to) {
        return from < to ? random.nextDouble(from, to) : from;
    }

    /** One of these values. */
    public double pick(double... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** This many different numbers from 0 to before {@code from}. */
    public List<Integer> sample(int from, int count) {
        ArrayDeque<Integer> chosen = new ArrayDeque<>();
        while (chosen.size() < count) {
            int next = random.nextInt(from);
            if (!chosen.contains(next)) {
                chosen.add(next);
            }
        }
        return List.copyOf(chosen);
    }

    /** The plan of a transaction: rows by shard; every second plan uses one shard only. */
    public NavigableMap<Integer, List<Integer>> plan(int shards, int rows) {
        int width = random.nextDouble() < .5 ? 1 : random.nextInt(2, shards + 1);
        NavigableMap<Integer, List<Integer>> plan = new TreeMap<>();
        for (int shard : sample(shards, width)) {
            plan.put(shard, sample(rows, random.nextInt(1, 3)).stream().sorted().toList());
        }
        return plan;
    }
}
