package io.tributary.node.sink;

/** The form of messages. */
public enum SinkProtocol {
    /** JSON as canal writes it ("flat messages"). */
    CANAL_JSON,
    /** JSON as Debezium's connector for MySQL writes it. */
    DEBEZIUM_JSON,
    /** Avro with a schema registry. */
    AVRO,
    /** TiCDC's Open Protocol. */
    OPEN_PROTOCOL,
    /** TiCDC's Simple Protocol, in JSON: schemas are messages. */
    SIMPLE
}
