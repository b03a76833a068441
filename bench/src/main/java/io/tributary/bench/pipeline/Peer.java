package io.tributary.bench.pipeline;

import java.io.IOException;
import java.util.Optional;

/** Another program that reads the same sources. */
interface Peer {
    /** Its name in figures and in {@code --peers}. */
    String name();

    /** The reason why it cannot run here; empty if it can. */
    Optional<String> missing();

    /** Reads all sources to their end. */
    Outcome run(Load load) throws IOException;
}
