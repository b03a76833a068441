package io.tributary.transmitter;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import java.util.function.Consumer;
import java.util.function.Function;

/** The link from the pipeline of a stream to its sender, with its own metrics while the pipeline runs. */
final class ProvidedLink<T> {
    private final Link<T> link;
    private final Metrics metrics;
    private final Consumer<T> release;

    /** @param release called for each item that was not read */
    ProvidedLink(Link<T> link, Metrics metrics, Consumer<T> release) {
        this.link = link;
        this.metrics = metrics.child();
        this.release = release;
        this.metrics.register(link);
    }

    /** Opens a pipeline that writes to the link. The link is closed with the pipeline, or at once if the pipeline cannot be built. */
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
        link.drain(release); // items that were put after the sender was closed
        metrics.close();
    }
}
