package io.tributary.sink.registry;

/** Gives schemas their ids. Thread-safe. */
@FunctionalInterface
public interface SchemaIds {
    /**
     * The id of a schema, which is registered if it is new.
     *
     * @param subject such as {@code topic-value}
     * @param schema an Avro schema in JSON
     * @throws io.tributary.common.error.TributaryException SINK_REGISTRY_FAILED
     */
    int id(String subject, String schema);
}
