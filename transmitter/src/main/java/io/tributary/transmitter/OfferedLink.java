package io.tributary.transmitter;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import java.util.function.Consumer;
import java.util.function.Function;

/** The link from a stream's pipeline to its sender, with metrics of its own for as long as the pipeline runs. */
final class OfferedLink<T> {
    private final Link<T> link;
    private final Metrics metrics;
    private final Consumer<Link<T>> releaseAll;

    /** @param releaseAll takes all out of the link and releases what it holds */
    OfferedLink(Link<T> link, Metrics metrics, Consumer<Link<T>> releaseAll) {
        this.link = link;
        this.metrics = metrics.child();
        this.releaseAll = releaseAll;
        this.metrics.register(link);
    }

    /** Opens a pipeline into the link; the link ends with it, or at once where none can be built. */
    StreamSource.Running open(Function<Link<T>, StreamSource.Running> opening) {
        StreamSource.Running pipeline = null;
        try {
            pipeline = opening.apply(link);
        } finally {
            if (pipeline == null) {
                close();
            }
        }
        StreamSource.Running running = pipeline;
        return () -> {
            running.close();
            close();
        };
    }

    private void close() {
        releaseAll.accept(link); // what was put after the sender was closed
        metrics.close();
    }
}
