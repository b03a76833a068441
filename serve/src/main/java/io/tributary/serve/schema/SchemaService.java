package io.tributary.serve.schema;

import io.tributary.serve.history.SchemaHistory;
import io.tributary.serve.schema.SchemaProxyConfig.Mode;

/**
 * The source of answers to questions about schemas.
 *
 * @param shard a shard, or {@link SchemaSource#NONE}
 * @param mode how the shard is used
 * @param mostBytes maximum size of an answer
 */
public record SchemaService(SchemaSource shard, Mode mode, long mostBytes) {
    /** No source. */
    public static final SchemaService NONE = new SchemaService(SchemaSource.NONE, Mode.OFF, 16 << 20);

    /** The shard's own answers. */
    public static SchemaService by(SchemaSource shard) {
        return new SchemaService(shard, Mode.PROXY, 16 << 20);
    }

    /** The source to ask. */
    public SchemaSource source(SchemaHistory history) {
        return mode == Mode.HISTORY ? new HistoricSchema(shard, history) : shard;
    }
}
