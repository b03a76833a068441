package io.tributary.bench.pipeline;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.event.deserialization.NullEventDataDeserializer;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The process of the peer mysql-binlog-connector-java: reads the binlogs of some shards at the same time and skips the bodies of their events. */
public final class ConnectorReader implements BinaryLogClient.EventListener {
    private final BinaryLogClient client;
    private long left;

    private ConnectorReader(BinaryLogClient client, long transactions) {
        this.client = client;
        this.left = transactions;
    }

    /** @param arguments user, password, binlog file's name, then PORT:TRANSACTIONS of each shard */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("com.github.shyiko").setLevel(Level.WARNING);
        List<Thread> readers = new ArrayList<>();
        for (int i = 3; i < arguments.length; i++) {
            int colon = arguments[i].indexOf(':');
            int port = Integer.parseInt(arguments[i].substring(0, colon));
            BinaryLogClient client = new BinaryLogClient("127.0.0.1", port, arguments[0], arguments[1]);
            client.setServerId(4712 + i);
            client.setSSLMode(SSLMode.DISABLED);
            client.setKeepAlive(false);
            client.setBinlogFilename(arguments[2]);
            client.setBinlogPosition(4);
            client.setEventDeserializer(skipping());
            client.registerEventListener(
                    new ConnectorReader(client, Long.parseLong(arguments[i].substring(colon + 1))));
            Thread reader = new Thread(() -> read(client));
            readers.add(reader);
            reader.start();
        }
        for (Thread reader : readers) {
            reader.join();
        }
        System.exit(0); // its threads may still run
    }

    private static EventDeserializer skipping() {
        EventDeserializer deserializer = new EventDeserializer();
        for (EventType type : EventType.values()) {
            if (type != EventType.FORMAT_DESCRIPTION && type != EventType.ROTATE) {
                deserializer.setEventDataDeserializer(type, new NullEventDataDeserializer());
            }
        }
        return deserializer;
    }

    private static void read(BinaryLogClient client) {
        try {
            client.connect();
        } catch (IOException e) {
            System.err.println(e);
            System.exit(1);
        }
    }

    @Override
    public void onEvent(Event event) {
        EventType type = event.getHeader().getEventType();
        if (type == EventType.GTID) {
            left--;
        } else if (type == EventType.XID && left == 0) {
            try {
                client.disconnect();
            } catch (IOException e) {
                System.err.println(e);
                System.exit(1);
            }
        }
    }
}
