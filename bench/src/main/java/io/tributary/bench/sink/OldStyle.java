package io.tributary.bench.sink;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import io.tributary.changes.ChangeColumn;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A sink as many are written: one thread decodes each row to an array of objects, makes a map of it with the fields of canal-json, writes that with an
 * ObjectMapper, and waits for the broker after each message.
 */
final class OldStyle implements BinaryLogClient.EventListener {
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<ChangeColumn> columns;
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final BinaryLogClient client;
    private final long most;
    private long rows;
    private Exception failure;

    private OldStyle(MysqlServer server, List<ChangeColumn> columns, String brokers, String topic, long most) {
        this.columns = columns;
        this.topic = topic;
        this.most = most;
        this.producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers, ProducerConfig.ACKS_CONFIG, "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.client = new BinaryLogClient(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        client.setServerId(4713);
        client.setSSLMode(SSLMode.DISABLED);
        client.setKeepAlive(false);
        EventDeserializer deserializer = new EventDeserializer();
        deserializer.setCompatibilityMode(EventDeserializer.CompatibilityMode.DATE_AND_TIME_AS_LONG_MICRO);
        client.setEventDeserializer(deserializer);
        client.registerEventListener(this);
    }

    /** Sends this many rows from the beginning of the binlog to the topic of the newest sink, which exists. */
    static void send(SinkSite site, long rows) throws IOException {
        List<ChangeColumn> columns = site.events().get(0).table().columns();
        OldStyle sink = new OldStyle(site.server(), columns, site.brokers(), site.topic("orders"), rows);
        sink.client.setBinlogFilename("binlog.000001");
        sink.client.setBinlogPosition(4);
        sink.client.connect();
        sink.producer.close();
        if (sink.failure != null || sink.rows < rows) {
            throw new IOException("expected " + rows + " rows, found " + sink.rows, sink.failure);
        }
    }

    @Override
    public void onEvent(Event event) {
        EventData data = event.getData();
        if (data instanceof WriteRowsEventData write
                && write.getIncludedColumns().cardinality() == columns.size()) {
            try {
                for (Serializable[] row : write.getRows()) {
                    send(row);
                }
            } catch (IOException | RuntimeException e) { // the client would only log it
                failure = e;
            }
            if (rows >= most || failure != null) {
                disconnect();
            }
        }
    }

    private void disconnect() {
        try {
            client.disconnect();
        } catch (IOException e) {
            failure = e;
        }
    }

    private void send(Serializable[] row) throws IOException {
        if (rows++ >= most) {
            return;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, Object> types = new LinkedHashMap<>();
        Map<String, Object> names = new LinkedHashMap<>();
        for (int i = 0; i < row.length; i++) {
            ChangeColumn column = columns.get(i);
            Object value = row[i] instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : row[i];
            values.put(column.name(), value == null ? null : value.toString());
            types.put(column.name(), 12);
            names.put(column.name(), column.type().name());
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", 0);
        message.put("database", "wide");
        message.put("table", "orders");
        message.put("pkNames", List.of("id"));
        message.put("isDdl", false);
        message.put("type", "INSERT");
        message.put("es", 1L);
        message.put("ts", 1L);
        message.put("sql", "");
        message.put("sqlType", types);
        message.put("mysqlType", names);
        message.put("data", new ArrayList<>(List.of(values)));
        message.put("old", null);
        try {
            producer.send(new ProducerRecord<>(topic, mapper.writeValueAsBytes(message)))
                    .get();
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
