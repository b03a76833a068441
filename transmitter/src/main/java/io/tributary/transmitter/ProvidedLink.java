package io.tributary.transmitter;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import java.util.function.Consumer;
import java.util.function.Function;

/** The link from a stream's pipeline to its sender, with metrics of its own for as long as the pipeline runs. */
final class OfferedLink<T> {
    private final Link<T> link;
    private final Metrics metrics;
    private final Consumer<T> release;

    /** @param release what is done to each item that nobody has read */
    OfferedLink(Link<T> link, Metrics metrics, Consumer<T> release) {
        this.link = link;
        this.metrics = metrics.child();
        this.release = release;
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
        link.drain(release); // what was put after the sender was closed
        metrics.close();
    }
}
