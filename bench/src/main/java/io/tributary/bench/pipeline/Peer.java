package io.tributary.bench.pipeline;

import java.io.IOException;
import java.util.Optional;

/** Another program that reads the same sources. */
interface Peer {
    /** As figures and {@code --peers} name it. */
    String name();

    /** Why it cannot run here; empty where it can. */
    Optional<String> missing();

    /** Reads all of them to their end. */
    Outcome run(Load load) throws IOException;
}
