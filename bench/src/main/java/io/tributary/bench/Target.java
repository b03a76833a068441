package io.tributary.bench;

import java.util.Locale;

/**
 * What a figure's median is meant to reach. A bench tells whether it does; nothing fails where it does not.
 *
 * @param bound the limit, in the figure's unit or, where {@code ofPeer}, as a share of the peer's median
 * @param most at most the bound, else at least
 * @param ofPeer a bound of the ratio
 */
public record Target(double bound, boolean most, boolean ofPeer) {
    /** Of the median. */
    public static Target atMost(double bound) {
        return new Target(bound, true, false);
    }

    /** Of the median. */
    public static Target atLeast(double bound) {
        return new Target(bound, false, false);
    }

    /** Of the ratio to the peer. */
    public static Target atMostOfPeer(double bound) {
        return new Target(bound, true, true);
    }

    /** Of the ratio to the peer. */
    public static Target atLeastOfPeer(double bound) {
        return new Target(bound, false, true);
    }

    boolean isMet(Figure figure) {
        double found = ofPeer ? figure.ratio().orElse(Double.NaN) : figure.median();
        return most ? found <= bound : found >= bound;
    }

    /** Such as {@code at most 1.50} or {@code at least 0.70 of the peer}. */
    String text() {
        String number = bound >= 1000 ? FigureTable.number(bound) : String.format(Locale.ROOT, "%.2f", bound);
        return (most ? "at most " : "at least ") + number + (ofPeer ? " of the peer" : "");
    }
}
