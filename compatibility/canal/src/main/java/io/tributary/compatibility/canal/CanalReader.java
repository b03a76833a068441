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
    private final EntryLines lines = new EntryLines();

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
                lines.accept(entry);
            }
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
        return true;
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
