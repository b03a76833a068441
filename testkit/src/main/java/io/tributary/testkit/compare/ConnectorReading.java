package io.tributary.testkit.compare;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.DeleteRowsEventData;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.UpdateRowsEventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import com.github.shyiko.mysql.binlog.event.XidEventData;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A client of a source with mysql-binlog-connector-java, the library of Debezium, Maxwell and Flink CDC. */
public final class ConnectorReading {
    /** The version of the library that the project uses. */
    public static final String VERSION = "0.30.1";

    private static final Pattern DDL =
            Pattern.compile("\\s*(create|alter|drop|rename|truncate)\\s.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final long SERVER_ID = 4715;
    private static final long CONNECT_MILLIS = 10_000;
    private static final long SILENCE_MILLIS = 30_000;

    private final BinaryLogClient client;
    private final Map<Long, String> tables = new HashMap<>();
    private final List<String> lines = new ArrayList<>();
    private boolean isDone;

    /** A reader of a source on loopback. */
    public ConnectorReading(int port, MysqlUser user) {
        this.client = new BinaryLogClient("127.0.0.1", port, user.name(), user.password());
        client.setServerId(SERVER_ID);
        client.setSSLMode(SSLMode.DISABLED);
        client.setKeepAlive(false);
        client.setHeartbeatInterval(SILENCE_MILLIS / 2);
        client.registerEventListener(this::accept);
    }

    /** Reads to the last row of a {@link TwinWorkload}. */
    public Reading read(boolean byGtid, String firstFile) throws IOException, TimeoutException {
        if (byGtid) {
            client.setGtidSet("");
        } else {
            client.setBinlogFilename(firstFile);
            client.setBinlogPosition(4);
        }
        client.setConnectTimeout(CONNECT_MILLIS);
        client.connect(); // returns when it is disconnected
        if (!isDone) {
            throw new IOException("the connection ended after " + lines.size() + " lines");
        }
        return Reading.parse(lines);
    }

    private void accept(Event event) {
        EventData data = event.getData();
        if (data instanceof TableMapEventData map) {
            tables.put(map.getTableId(), map.getDatabase() + "." + map.getTable());
        } else if (data instanceof WriteRowsEventData rows) {
            rows.getRows().forEach(row -> row(rows.getTableId(), "insert", row, row));
        } else if (data instanceof DeleteRowsEventData rows) {
            rows.getRows().forEach(row -> row(rows.getTableId(), "delete", row, row));
        } else if (data instanceof UpdateRowsEventData rows) {
            rows.getRows().forEach(row -> row(rows.getTableId(), "update", row.getKey(), row.getValue()));
        } else if (data instanceof QueryEventData query
                && DDL.matcher(query.getSql()).matches()) {
            lines.add("D\t" + query.getSql());
        } else if (data instanceof XidEventData) {
            lines.add("T");
            endIfDone();
        }
    }

    private void row(long tableId, String action, Serializable[] before, Serializable[] after) {
        String table = tables.get(tableId);
        lines.add("R\t" + table + "\t" + before[0] + "\t" + action + "\t" + words(before) + "\t" + words(after));
        isDone |= TwinWorkload.DONE.equals(table);
    }

    private static String words(Serializable[] row) {
        return Arrays.stream(row)
                .map(value -> value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value))
                .collect(Collectors.joining(" "));
    }

    private void endIfDone() {
        if (!isDone) {
            return;
        }
        try {
            client.disconnect();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
