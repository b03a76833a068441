package io.tributary.bench.sink;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.changes.RowChange;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Messages that are made beforehand, and sent again and again: what Kafka's producer costs alone, with the settings of the sink, but without headers. */
final class MadeMessages {
    private static final long BUILT = 1_700_000_000_000L;

    private final List<byte[]> messages = new ArrayList<>();

    /** Makes one message of each row. */
    MadeMessages(List<WideRows.Event> events, MessageFormat format) {
        RowFormat rows = format.table(events.get(0).table(), "orders");
        RowChange change = new RowChange();
        RowPlace place = new RowPlace();
        ByteBuf out = Unpooled.buffer();
        for (WideRows.Event event : events) {
            change.begin(event.table(), event.bytes(), 0, event.bytes().capacity());
            while (change.next()) {
                out.clear();
                rows.value(out, change, place.set(event.transaction(), messages.size(), BUILT));
                messages.add(ByteBufUtil.getBytes(out));
            }
        }
    }

    /** Sends them as so many rows; measures the later half, in this process. */
    SinkSite.Cost send(String brokers, RowTopic topic, long rows) throws Exception {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4",
                ProducerConfig.BATCH_SIZE_CONFIG,
                256 << 10,
                ProducerConfig.LINGER_MS_CONFIG,
                5);
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            send(producer, topic, rows / 2);
            return SinkSite.measure(rows / 2, () -> send(producer, topic, rows / 2));
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, RowTopic topic, long rows) {
        for (long row = 0; row < rows; row++) {
            byte[] message = messages.get((int) (row % messages.size()));
            var unused = producer.send(new ProducerRecord<>(topic.name(), message));
        }
        producer.flush();
    }
}
