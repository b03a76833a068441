package io.tributary.bench.pipeline;

import io.tributary.bench.Figure;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/** What is told of runs over all sources. */
enum Measure {
    THROUGHPUT("throughput", "MiB/s", true, (one, load) -> load.mib() / one.seconds()),
    LATER_THROUGHPUT(
            "later half, throughput",
            "MiB/s",
            true,
            (one, load) -> load.mib() * one.warm().share() / one.warm().seconds()),
    EVENTS("events", "1/s", false, (one, load) -> load.events() / one.seconds()),
    TRANSACTIONS("transactions", "1/s", false, (one, load) -> load.transactions() / one.seconds()),
    CPU("CPU", "s", false, (one, load) -> one.cpuSeconds()),
    CPU_PER_EVENT("CPU per event", "us", true, (one, load) -> one.cpuSeconds() * 1e6 / load.events()),
    LATER_CPU_PER_EVENT(
            "later half, CPU per event",
            "us",
            true,
            (one, load) -> one.warm().usage().cpuSeconds()
                    * 1e6
                    / (load.events() * one.warm().share())),
    START_CPU("CPU before the first event", "s", false, (one, load) -> one.startCpuSeconds()),
    MEMORY("peak RSS", "MiB", false, (one, load) -> one.usage().peakBytes() / 1048576.0);

    private final String title;
    private final String unit;
    private final boolean isOfPeersToo;

    @SuppressWarnings("ImmutableEnumChecker") // the functions above hold nothing
    private final ToDoubleBiFunction<Outcome, Load> value;

    Measure(String title, String unit, boolean isOfPeersToo, ToDoubleBiFunction<Outcome, Load> value) {
        this.title = title;
        this.unit = unit;
        this.isOfPeersToo = isOfPeersToo;
        this.value = value;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    double of(Outcome outcome, Load load) {
        return value.applyAsDouble(outcome, load);
    }

    List<Double> of(List<Outcome> outcomes, Load load) {
        return outcomes.stream().map(outcome -> of(outcome, load)).toList();
    }

    /** The node's figure beside a peer's; empty where they cannot be compared. */
    Optional<Figure> beside(Figure figure, String peer, List<Outcome> outcomes, Load load) {
        return isOfPeersToo ? Optional.of(figure.beside(peer, of(outcomes, load))) : Optional.empty();
    }
}
