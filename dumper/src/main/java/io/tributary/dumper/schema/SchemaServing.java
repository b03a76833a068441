package io.tributary.dumper.schema;

import io.tributary.dumper.history.SchemaHistory;
import io.tributary.dumper.schema.SchemaProxyConfig.Mode;

/**
 * Who answers questions about schemas.
 *
 * @param shard a shard, or nobody
 * @param mode how
 * @param mostBytes of an answer
 */
public record SchemaServing(SchemaSource shard, Mode mode, long mostBytes) {
    /** Nobody. */
    public static final SchemaServing NONE = new SchemaServing(SchemaSource.NONE, Mode.OFF, 16 << 20);

    /** A shard, as it answers. */
    public static SchemaServing by(SchemaSource shard) {
        return new SchemaServing(shard, Mode.PROXY, 16 << 20);
    }

    /** Who is asked. */
    public SchemaSource source(SchemaHistory history) {
        return mode == Mode.HISTORY ? new HistoricSchema(shard, history) : shard;
    }
}
