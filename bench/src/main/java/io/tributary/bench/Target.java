package io.tributary.bench;

import java.util.Locale;

/**
 * The target of a figure's median. A bench reports whether it is met; a missed target is not a failure.
 *
 * @param bound the limit, in the figure's unit, or with {@code ofPeer} as a share of the peer's median
 * @param most whether the bound is the maximum; else it is the minimum
 * @param ofPeer whether it is a bound of the ratio to the peer
 */
public record Target(double bound, boolean most, boolean ofPeer) {
    /** A target of the median. */
    public static Target atMost(double bound) {
        return new Target(bound, true, false);
    }

    /** A target of the median. */
    public static Target atLeast(double bound) {
        return new Target(bound, false, false);
    }

    /** A target of the ratio to the peer. */
    public static Target atMostOfPeer(double bound) {
        return new Target(bound, true, true);
    }

    /** A target of the ratio to the peer. */
    public static Target atLeastOfPeer(double bound) {
        return new Target(bound, false, true);
    }

    boolean isMet(Figure figure) {
        double found = ofPeer ? figure.ratio().orElse(Double.NaN) : figure.median();
        return most ? found <= bound : found >= bound;
    }

    /** Text such as {@code at most 1.50} or {@code at least 0.70 of the peer}. */
    String text() {
        String number = bound >= 1000 ? FigureTable.number(bound) : String.format(Locale.ROOT, "%.2f", bound);
        return (most ? "at most " : "at least ") + number + (ofPeer ? " of the peer" : "");
    }
}
