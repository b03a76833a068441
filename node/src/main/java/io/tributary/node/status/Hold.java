package io.tributary.node.status;

import io.tributary.collector.schema.SchemaItem;

/**
 * A shard that is not read or written further until an operator acts. Status, console, health and metrics show the same ones.
 *
 * @param code of the error that is its reason; empty if it is not known
 * @param look the command that shows the reason and what ends it
 */
public record Hold(String shard, String code, String look) {
    private static final String OF_READING = "tributary status";
    private static final String OF_ORDER = "tributary ddl list";

    /** The shard cannot be read. */
    static Hold of(PipelineStatus.HeldShard held) {
        int end = held.reason().indexOf(':');
        return new Hold(held.shard(), end > 0 ? held.reason().substring(0, end) : "", OF_READING);
    }

    /** A transaction of the shard cannot be written. */
    static Hold of(SchemaItem question) {
        return new Hold(
                question.shard(), question.code() == null ? "" : question.code().toString(), OF_ORDER);
    }
}
