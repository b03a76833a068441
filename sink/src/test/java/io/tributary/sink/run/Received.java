package io.tributary.sink.run;

import java.nio.charset.StandardCharsets;
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
