package io.tributary.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One measured quantity, over the runs of a bench, beside what a peer needed for the same in the same runs.
 *
 * @param bench the bench's name, such as {@code pipeline}
 * @param name what was measured, such as {@code throughput}
 * @param unit such as {@code MiB/s}
 * @param values one of each run, in their order; at least one
 * @param peer whose figure stands beside, "" where there is none
 * @param peerValues one of each run of the peer; empty where there is none
 * @param target what is aimed at, where anything is
 */
public record Figure(
        String bench,
        String name,
        String unit,
        List<Double> values,
        String peer,
        List<Double> peerValues,
        Optional<Target> target) {
    public Figure {
        values = List.copyOf(values);
        peerValues = List.copyOf(peerValues);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("expected a value of " + bench + " " + name + " at least");
        }
    }

    /** A figure without a peer and a target. */
    public static Figure of(String bench, String name, String unit, List<Double> values) {
        return new Figure(bench, name, unit, values, "", List.of(), Optional.empty());
    }

    /** The same beside a peer's. */
    public Figure beside(String itsName, List<Double> itsValues) {
        return new Figure(bench, name, unit, values, itsName, itsValues, target);
    }

    /** The same with what it is meant to reach. */
    public Figure aiming(Target at) {
        return new Figure(bench, name, unit, values, peer, peerValues, Optional.of(at));
    }

    /** The median of the runs. */
    public double median() {
        return Distribution.of(values).quantile(0.5);
    }

    public double smallest() {
        return Distribution.of(values).quantile(0);
    }

    public double largest() {
        return Distribution.of(values).quantile(1);
    }

    /** The median of the peer's runs. */
    public OptionalDouble peerMedian() {
        return peerValues.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Distribution.of(peerValues).quantile(0.5));
    }

    /**
     * Ours divided by the peer's: where both ran equally often, in turns, the median of the ratios of each turn, as a machine's other
     * work then weighs on both; else the ratio of the medians.
     */
    public OptionalDouble ratio() {
        OptionalDouble other = peerMedian();
        if (other.isEmpty() || peerValues.contains(0.0)) {
            return OptionalDouble.empty();
        }
        if (values.size() != peerValues.size()) {
            return OptionalDouble.of(median() / other.getAsDouble());
        }
        double[] ratios = new double[values.size()];
        for (int run = 0; run < ratios.length; run++) {
            ratios[run] = values.get(run) / peerValues.get(run);
        }
        return OptionalDouble.of(Distribution.of(ratios).quantile(0.5));
    }
}
