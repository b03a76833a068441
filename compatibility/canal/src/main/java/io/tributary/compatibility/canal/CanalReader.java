package io.tributary.compatibility.canal;

import com.alibaba.otter.canal.parse.inbound.mysql.MysqlEventParser;
import com.alibaba.otter.canal.parse.index.AbstractLogPositionManager;
import com.alibaba.otter.canal.parse.support.AuthenticationInfo;
import com.alibaba.otter.canal.protocol.CanalEntry;
import com.alibaba.otter.canal.protocol.position.EntryPosition;
import com.alibaba.otter.canal.protocol.position.LogPosition;
import com.alibaba.otter.canal.sink.AbstractCanalEventSink;
import com.google.protobuf.InvalidProtocolBufferException;
import java.net.InetSocketAddress;
import java.util.List;

/** Reads a source by canal's parser, from a GTID set, or a file and position, to the workload's last row, and prints R and T lines. */
public final class CanalReader extends AbstractCanalEventSink<List<CanalEntry.Entry>> {
    private boolean isDone;

    private CanalReader() {}

    /** @param arguments port, user, password, file, position, GTID set; it begins by position where the set is empty */
    public static void main(String[] arguments) throws InterruptedException {
        MysqlEventParser parser = new MysqlEventParser();
        parser.setDestination("compat");
        parser.setConnectionCharset("UTF-8");
        parser.setSlaveId(4717);
        parser.setDetectingEnable(false);
        parser.setParallel(false);
        parser.setMasterInfo(new AuthenticationInfo(
                new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), arguments[1], arguments[2]));
        EntryPosition begin = new EntryPosition(arguments[3], Long.parseLong(arguments[4]));
        if (!arguments[5].isEmpty()) {
            begin.setGtid(arguments[5]);
            parser.setIsGTIDMode(true);
        }
        parser.setMasterPosition(begin);
        parser.setEventSink(new CanalReader());
        parser.setLogPositionManager(new Forgetful());
        parser.start();
        Thread.currentThread().join();
    }

    @Override
    public boolean sink(List<CanalEntry.Entry> entries, InetSocketAddress remote, String destination) {
        try {
            for (CanalEntry.Entry entry : entries) {
                accept(entry);
            }
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
        return true;
    }

    private void accept(CanalEntry.Entry entry) throws InvalidProtocolBufferException {
        String table =
                entry.getHeader().getSchemaName() + "." + entry.getHeader().getTableName();
        if (entry.getEntryType() == CanalEntry.EntryType.ROWDATA) {
            CanalEntry.RowChange change = CanalEntry.RowChange.parseFrom(entry.getStoreValue());
            if (change.getIsDdl()) {
                System.out.println("D\t" + change.getSql());
            }
            for (CanalEntry.RowData row : change.getRowDatasList()) {
                boolean gone = change.getEventType() == CanalEntry.EventType.DELETE;
                String key = (gone ? row.getBeforeColumnsList() : row.getAfterColumnsList())
                        .get(0)
                        .getValue();
                System.out.println("R\t" + table + "\t" + key + "\t" + change.getEventType() + "\t"
                        + words(row.getBeforeColumnsList()) + "\t" + words(row.getAfterColumnsList()));
            }
            isDone |= table.equals("shop.done") && !change.getIsDdl();
        } else if (entry.getEntryType() == CanalEntry.EntryType.TRANSACTIONEND) {
            System.out.println("T");
            if (isDone) {
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private static String words(List<CanalEntry.Column> columns) {
        StringBuilder words = new StringBuilder();
        for (CanalEntry.Column column : columns) {
            words.append(column.getName())
                    .append('=')
                    .append(column.getIsNull() ? "NULL" : column.getValue())
                    .append(' ');
        }
        return words.toString().replace('\n', ' ').replace('\r', ' ');
    }

    /** Begins where it is told to, each time. */
    private static final class Forgetful extends AbstractLogPositionManager {
        @Override
        public LogPosition getLatestIndexBy(String destination) {
            return null;
        }

        @Override
        public void persistLogPosition(String destination, LogPosition position) {}
    }
}
