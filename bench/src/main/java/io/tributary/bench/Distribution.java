package io.tributary.bench;

import java.util.Arrays;
import java.util.Collection;

/** Sorted values, for medians and other quantiles. */
public final class Distribution {
    private final double[] sorted;

    private Distribution(double[] sorted) {
        this.sorted = sorted;
    }

    /** @param values at least one */
    public static Distribution of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** @param values at least one; the array is copied */
    public static Distribution of(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("expected at least one value, found none");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Distribution(sorted);
    }

    public int count() {
        return sorted.length;
    }

    /**
     * The quantile: the value below which this share of all values is, interpolated between two neighbors.
     *
     * @param share 0 (the smallest) to 1 (the largest)
     */
    public double quantile(double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
