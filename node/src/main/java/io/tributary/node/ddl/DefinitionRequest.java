package io.tributary.node.ddl;

import io.tributary.common.value.TableName;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.schema.list.ReportedTable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The request for one table's definition, which is repeated with growing pauses until the shard answers. One thread. */
final class DefinitionRequest {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionRequest.class);
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

    private final TableRequests.Asked shard;
    private final TableName physical;
    private final CompletableFuture<Optional<ReportedTable>> answer;
    private CompletableFuture<Optional<ReportedTable>> request;
    private long pauseNanos;
    private long since;

    /** @param answer completed by this object */
    DefinitionRequest(
            TableRequests.Asked shard, TableName physical, CompletableFuture<Optional<ReportedTable>> answer) {
        this.shard = shard;
        this.physical = physical;
        this.answer = answer;
    }

    String shard() {
        return shard.name();
    }

    boolean isDone() {
        return answer.isDone();
    }

    void cancel() {
        answer.cancel(false);
    }

    /**
     * Does one step; never blocks.
     *
     * @param now nanoseconds of the node's clock
     * @return 0 if nothing was done
     */
    int step(TableNames names, MysqlClient client, long now) {
        if (request == null) {
            if (pauseNanos > 0 && now - since < pauseNanos) {
                return 0;
            }
            request = names.definition(shard.name(), shard.config(), client, physical);
            return 1;
        }
        if (!request.isDone()) {
            return 0;
        }
        try {
            answer.complete(request.join());
        } catch (CompletionException e) {
            LOG.warn(
                    "definition not read: shard={} table={} error=\"{}\" effect=\"rows of the table wait\"",
                    shard.name(),
                    physical,
                    e.getCause().getMessage());
            pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, pauseNanos * 2));
            since = now;
        }
        request = null;
        return 1;
    }
}
