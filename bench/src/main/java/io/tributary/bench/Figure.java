package io.tributary.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One measured quantity over the runs of a bench, with the values of a peer for the same work in the same runs.
 *
 * @param bench the bench's name, such as {@code pipeline}
 * @param name the quantity, such as {@code throughput}
 * @param unit such as {@code MiB/s}
 * @param values one value of each run, in order; at least one
 * @param peer name of the peer, "" if there is none
 * @param peerValues one value of each run of the peer; empty if there is none
 * @param target the target, if there is one
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
            throw new IllegalArgumentException("expected at least one value of " + bench + " " + name + ", found none");
        }
    }

    /** A figure without peer and target. */
    public static Figure of(String bench, String name, String unit, List<Double> values) {
        return new Figure(bench, name, unit, values, "", List.of(), Optional.empty());
    }

    /** A copy with the values of a peer. */
    public Figure beside(String itsName, List<Double> itsValues) {
        return new Figure(bench, name, unit, values, itsName, itsValues, target);
    }

    /** A copy with a target. */
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
     * Our value divided by the peer's. If both ran equally often, in turns: the median of the ratios of all turns, because other work of the
     * machine then affects both. Else the ratio of the medians.
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
