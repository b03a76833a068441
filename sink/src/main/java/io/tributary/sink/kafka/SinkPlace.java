package io.tributary.sink.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.changes.ChangeTransaction;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The place of a sink in the stream: the value of its record in the topic of progress.
 *
 * @param transaction the last one all of whose messages are committed, with the binlog file and offset of its end
 * @param row the number of rows of the next transaction whose messages are committed; more than 0 only while a transaction is split
 * @param partitions the number of partitions of each topic whose rows are divided by their values
 */
public record SinkPlace(ChangeTransaction transaction, long row, Map<String, Integer> partitions) {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Copies the map. */
    public SinkPlace {
        partitions = Map.copyOf(partitions);
    }

    /** Its JSON. */
    byte[] bytes() {
        ObjectNode all = JSON.createObjectNode();
        all.put("version", VERSION);
        all.put("stream", transaction.gtid().sid().toString());
        all.put("gtid", transaction.gtid().toString());
        all.put("file", transaction.file());
        all.put("pos", transaction.position());
        all.put("commitMicros", transaction.committedMicros());
        all.put("row", row);
        ObjectNode counts = all.putObject("partitions");
        new TreeMap<>(partitions).forEach(counts::put);
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the JSON.
     *
     * @param where topic, partition and offset, for messages
     * @throws TributaryException SINK_TOPIC_UNFIT
     */
    static SinkPlace parse(byte[] json, String where) {
        try {
            JsonNode all = JSON.readTree(json);
            if (all.path("version").asInt() != VERSION) {
                throw new IllegalArgumentException("version " + all.path("version"));
            }
            Map<String, Integer> partitions = new TreeMap<>();
            all.path("partitions")
                    .properties()
                    .forEach(count ->
                            partitions.put(count.getKey(), count.getValue().asInt()));
            ChangeTransaction transaction = new ChangeTransaction(
                    Gtid.parse(all.path("gtid").asText()),
                    all.path("commitMicros").asLong(),
                    all.path("file").asText(),
                    all.path("pos").asLong());
            return new SinkPlace(transaction, all.path("row").asLong(), partitions);
        } catch (IOException | IllegalArgumentException e) {
            throw new TributaryException(
                    ErrorCode.SINK_TOPIC_UNFIT,
                    where + ": expected the place of a sink, version " + VERSION + ", found a record that is none: "
                            + e.getMessage() + " | choose another sink.progress.topic",
                    e);
        }
    }
}
