package io.tributary.bench.pipeline;

import io.tributary.bench.Figure;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/**
 * A figure of runs over all sources.
 *
 * @param title the name in figures
 * @param isOfPeersToo whether it is also measured for other programs
 * @param value its value for one run
 */
record Measure(String title, String unit, boolean isOfPeersToo, ToDoubleBiFunction<Outcome, Load> value) {
    static final Measure THROUGHPUT =
            new Measure("throughput", "MiB/s", true, (one, load) -> load.mib() / one.seconds());
    static final Measure LATER_THROUGHPUT = new Measure(
            "later half, throughput",
            "MiB/s",
            true,
            (one, load) ->
                    later(one, load.mib() * one.warm().share() / one.warm().seconds()));
    static final Measure CPU_PER_EVENT =
            new Measure("CPU per event", "us", true, (one, load) -> one.cpuSeconds() * 1e6 / load.events());
    static final Measure LATER_CPU_PER_EVENT = new Measure(
            "later half, CPU per event",
            "us",
            true,
            (one, load) -> later(
                    one,
                    one.warm().usage().cpuSeconds()
                            * 1e6
                            / (load.events() * one.warm().share())));

    /** All, in the order of the output. */
    static final List<Measure> ALL = List.of(
            THROUGHPUT,
            LATER_THROUGHPUT,
            new Measure("events", "1/s", false, (one, load) -> load.events() / one.seconds()),
            new Measure("transactions", "1/s", false, (one, load) -> load.transactions() / one.seconds()),
            new Measure("CPU", "s", false, (one, load) -> one.cpuSeconds()),
            CPU_PER_EVENT,
            LATER_CPU_PER_EVENT,
            new Measure("CPU before the first event", "s", false, (one, load) -> one.startCpuSeconds()),
            new Measure("peak RSS", "MiB", false, (one, load) -> one.usage().peakBytes() / 1048576.0));

    private static double later(Outcome outcome, double value) {
        return outcome.warm().isTooShort() ? Double.NaN : value;
    }

    /** The value of one run; NaN if the run was too short for a later half. */
    double of(Outcome outcome, Load load) {
        return value.applyAsDouble(outcome, load);
    }

    /** The values of all runs that have one. */
    List<Double> of(List<Outcome> outcomes, Load load) {
        return outcomes.stream()
                .map(outcome -> of(outcome, load))
                .filter(Double::isFinite)
                .toList();
    }

    /** The node's figure with the values of a peer; empty if they cannot be compared. */
    Optional<Figure> beside(Figure figure, String peer, List<Outcome> outcomes, Load load) {
        List<Double> its = of(outcomes, load);
        return isOfPeersToo && !its.isEmpty() ? Optional.of(figure.beside(peer, its)) : Optional.empty();
    }
}
