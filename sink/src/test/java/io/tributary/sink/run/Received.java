package io.tributary.sink.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A message as a consumer has read it; texts, "" for what it does not have. */
record Received(String topic, int partition, long offset, String key, String value, Headers headers) {
    /** @param row -1 for none */
    record Headers(String gtid, long row, boolean isLast, String split, boolean isSnapshot) {}

    static Received of(ConsumerRecord<byte[], byte[]> record) {
        String row = header(record, "row");
        return new Received(
                record.topic(),
                record.partition(),
                record.offset(),
                text(record.key()),
                text(record.value()),
                new Headers(
                        header(record, "gtid"),
                        row.isEmpty() ? -1 : Long.parseLong(row),
                        record.headers().lastHeader("last") != null,
                        header(record, "split"),
                        header(record, "snapshot").equals("true")));
    }

    /** One that {@code read_topic.py} has printed. */
    static Received of(String topic, JsonNode message) {
        Map<String, String> headers = new HashMap<>();
        message.get("headers").forEach(pair -> {
            String before = headers.put(pair.get(0).asText(), text(hex(pair.get(1))));
            if (before != null) {
                throw new IllegalStateException("twice the same header: " + message);
            }
        });
        if (!Set.of("gtid", "row", "last", "split", "snapshot").containsAll(headers.keySet())) {
            throw new IllegalStateException("unknown headers: " + message);
        }
        String row = headers.getOrDefault("row", "");
        return new Received(
                topic,
                message.get("partition").intValue(),
                message.get("offset").longValue(),
                text(hex(message.get("key"))),
                text(hex(message.get("value"))),
                new Headers(
                        headers.getOrDefault("gtid", ""),
                        row.isEmpty() ? -1 : Long.parseLong(row),
                        headers.containsKey("last"),
                        headers.getOrDefault("split", ""),
                        headers.getOrDefault("snapshot", "").equals("true")));
    }

    private static byte[] hex(JsonNode digits) {
        return digits.isNull() ? null : HexFormat.of().parseHex(digits.asText());
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : text(header.value());
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    long gno() {
        return Long.parseLong(headers.gtid().substring(headers.gtid().lastIndexOf(':') + 1));
    }
}
