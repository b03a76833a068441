package io.tributary.node.ddl;

import io.tributary.collector.Collector;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.DdlDecision;
import io.tributary.node.admin.SchemaChangeAccess;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** The schema changes of a running pipeline. */
public final class PipelineChanges implements SchemaChangeAccess {
    private final Collector collector;

    public PipelineChanges(Collector collector) {
        this.collector = collector;
    }

    @Override
    public CompletableFuture<List<SchemaItem>> list() {
        return orPipelineEnd(collector.schemaChanges());
    }

    @Override
    public CompletableFuture<String> execute(DdlDecision decision) {
        return orPipelineEnd(collector.execute(decision));
    }

    @Override
    public CompletableFuture<String> skip(String shard, Gtid gtid, Optional<Gtid> until) {
        return orPipelineEnd(collector.skip(shard, gtid, until.orElse(null)));
    }

    private static <T> CompletableFuture<T> orPipelineEnd(CompletableFuture<T> asked) {
        return asked.exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                failure instanceof CancellationException
                        ? new IllegalStateException(
                                "the pipeline ended before it answered: run the command again", failure)
                        : failure));
    }
}
