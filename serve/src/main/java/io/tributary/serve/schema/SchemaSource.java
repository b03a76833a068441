package io.tributary.serve.schema;

import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.sql.SqlRefusal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers questions about schemas. Called on event loops: must not block. */
public interface SchemaSource {
    /** A source without answers. */
    SchemaSource NONE = question -> CompletableFuture.failedFuture(
            SqlRefusal.unsupported(
                    "This Tributary has no shard to ask for an answer to questions about schemas (serve.schema, serve.schema.shard)"));

    /** Asks a question; fails with {@link SqlRefusal}. */
    CompletableFuture<ResultSet> ask(SchemaQuestion question);

    /** Known values of the shard's variables that its tables depend on; names in lower case. */
    default Map<String, String> variables() {
        return Map.of();
    }
}
