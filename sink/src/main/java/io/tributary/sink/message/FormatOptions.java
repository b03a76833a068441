package io.tributary.sink.message;

/**
 * What users choose for the messages of a protocol.
 *
 * @param extension whether messages have fields that the protocol does not define, and watermarks where it has none ({@code _tributary})
 * @param handleKeys whether messages have the handle key as their key if the protocol leaves this open (canal-json)
 * @param schemas whether each message has its schema (debezium-json)
 * @param onlyChanged whether an UPDATE has only the changed columns of the row before it (canal-json)
 * @param fullTypes whether types are written with their length (canal-json)
 * @param name of the sink: the connector's name in debezium-json, the namespace in avro
 */
public record FormatOptions(
        boolean extension, boolean handleKeys, boolean schemas, boolean onlyChanged, boolean fullTypes, String name) {
    /** The defaults. */
    public static FormatOptions of(String name) {
        return new FormatOptions(false, false, true, false, false, name);
    }
}
