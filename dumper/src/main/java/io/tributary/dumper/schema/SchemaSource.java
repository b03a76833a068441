package io.tributary.dumper.schema;

import io.tributary.dumper.sql.SqlRefusal;
import io.tributary.mysql.protocol.server.ResultSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Who answers questions about schemas. Called on event loops: must not block. */
public interface SchemaSource {
    /** Where nobody does. */
    SchemaSource NONE = question -> CompletableFuture.failedFuture(
            SqlRefusal.unsupported(
                    "This Tributary has no shard to ask for an answer to questions about schemas (serve.schema, serve.schema.shard)"));

    /** The answer; fails with {@link SqlRefusal}. */
    CompletableFuture<ResultSet> ask(SchemaQuestion question);

    /** Values of a shard's variables that its tables depend on, as far as they are known; names in lower case. */
    default Map<String, String> variables() {
        return Map.of();
    }
}
