package io.tributary.serve.select;

import io.tributary.common.value.Cut;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How far the readable binlog contains what the shards have executed. Any thread. */
@FunctionalInterface
public interface StreamProgress {
    /** The newest cut before the readable end; empty while nothing may be read. */
    CompletableFuture<Optional<Cut>> newestCut();
}
