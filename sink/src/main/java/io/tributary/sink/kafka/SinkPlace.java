package io.tributary.sink.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.changes.ChangeTransaction;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.sink.CopyPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The place of a sink in the stream: the value of its record in the topic of progress.
 *
 * @param transaction the last one all of whose messages are committed, with the binlog file and offset of its end; while a snapshot is copied, its place
 * @param row the number of rows of the next transaction whose messages are committed; more than 0 only while a transaction is split
 * @param partitions the number of partitions of each topic whose rows are divided by their values
 * @param copy how far the rows of a snapshot are committed; empty if all are, or there is none
 */
public record SinkPlace(
        ChangeTransaction transaction, long row, Map<String, Integer> partitions, Optional<CopyPlace> copy) {
    private static final int VERSION = 1;
    /** With a copy, which a sink of version 1 would pass over. */
    private static final int COPY_VERSION = 2;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Copies the map. */
    public SinkPlace {
        partitions = Map.copyOf(partitions);
    }

    /** A place in the stream. */
    public SinkPlace(ChangeTransaction transaction, long row, Map<String, Integer> partitions) {
        this(transaction, row, partitions, Optional.empty());
    }

    /** The last transaction all of whose messages are committed; null while a snapshot is copied. */
    public ChangeTransaction finished() {
        return copy.isPresent() ? null : transaction;
    }

    /** Its JSON. */
    byte[] bytes() {
        ObjectNode all = JSON.createObjectNode();
        all.put("version", copy.isPresent() ? COPY_VERSION : VERSION);
        all.put("stream", transaction.gtid().sid().toString());
        all.put("gtid", transaction.gtid().toString());
        all.put("file", transaction.file());
        all.put("pos", transaction.position());
        all.put("commitMicros", transaction.committedMicros());
        all.put("row", row);
        ObjectNode counts = all.putObject("partitions");
        new TreeMap<>(partitions).forEach(counts::put);
        copy.ifPresent(place -> put(all.putObject("snapshot"), place));
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ObjectNode node, CopyPlace place) {
        node.put("schema", place.table().schema());
        node.put("table", place.table().table());
        ArrayNode key = node.putArray("key");
        place.key().forEach(key::add);
        node.put("tableRows", place.tableRows());
        node.put("digest", place.digest());
        node.put("rows", place.rows());
    }

    private static CopyPlace copy(JsonNode node) {
        List<String> key = new ArrayList<>();
        node.path("key").forEach(part -> key.add(part.asText()));
        return new CopyPlace(
                new TableName(node.path("schema").asText(), node.path("table").asText()),
                key,
                node.path("tableRows").asLong(),
                node.path("digest").asLong(),
                node.path("rows").asLong());
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
            boolean hasCopy = all.has("snapshot");
            if (all.path("version").asInt() != (hasCopy ? COPY_VERSION : VERSION)) {
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
            return new SinkPlace(
                    transaction,
                    all.path("row").asLong(),
                    partitions,
                    hasCopy ? Optional.of(copy(all.path("snapshot"))) : Optional.empty());
        } catch (IOException | IllegalArgumentException e) {
            throw new TributaryException(
                    ErrorCode.SINK_TOPIC_UNFIT,
                    where + ": expected the place of a sink, version " + VERSION + " or " + COPY_VERSION
                            + ", found a record that is none: "
                            + e.getMessage() + " | choose another sink.progress.topic",
                    e);
        }
    }
}
