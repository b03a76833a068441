package io.tributary.bench;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One measured quantity, over the runs of a bench, beside what a peer needed for the same in the same runs.
 *
 * @param bench the bench's name, such as {@code pipeline}
 * @param figure what was measured, such as {@code throughput}
 * @param unit such as {@code MiB/s}
 * @param values one of each run, in their order; at least one
 * @param peer whose figure stands beside, "" where there is none
 * @param peerValues one of each run of the peer; empty where there is none
 */
public record Figure(
        String bench, String figure, String unit, List<Double> values, String peer, List<Double> peerValues) {
    public Figure {
        values = List.copyOf(values);
        peerValues = List.copyOf(peerValues);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("expected a value of " + bench + " " + figure + " at least");
        }
    }

    /** A figure without a peer. */
    public static Figure of(String bench, String figure, String unit, List<Double> values) {
        return new Figure(bench, figure, unit, values, "", List.of());
    }

    /** The same beside a peer's. */
    public Figure beside(String name, List<Double> itsValues) {
        return new Figure(bench, figure, unit, values, name, itsValues);
    }

    /** The median of the runs. */
    public double value() {
        return Distribution.of(values).quantile(0.5);
    }

    public double smallest() {
        return Distribution.of(values).quantile(0);
    }

    public double largest() {
        return Distribution.of(values).quantile(1);
    }

    /** The median of the peer's runs. */
    public OptionalDouble peerValue() {
        return peerValues.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Distribution.of(peerValues).quantile(0.5));
    }

    /** Ours divided by the peer's, by their medians. */
    public OptionalDouble ratio() {
        OptionalDouble other = peerValue();
        return other.isEmpty() || other.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(value() / other.getAsDouble());
    }
}
