package io.tributary.compatibility.canal;

import com.alibaba.otter.canal.client.CanalConnector;
import com.alibaba.otter.canal.client.CanalConnectors;
import com.alibaba.otter.canal.instance.manager.CanalInstanceWithManager;
import com.alibaba.otter.canal.instance.manager.model.Canal;
import com.alibaba.otter.canal.instance.manager.model.CanalParameter;
import com.alibaba.otter.canal.parse.inbound.mysql.MysqlEventParser;
import com.alibaba.otter.canal.protocol.CanalEntry;
import com.alibaba.otter.canal.protocol.Message;
import com.alibaba.otter.canal.server.embedded.CanalServerWithEmbedded;
import com.alibaba.otter.canal.server.netty.CanalServerWithNetty;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs canal's server with an instance before a source, as its deployer does: parser, sink, store, the table definitions in H2, and the port for
 * clients. Reads it with canal's client up to the workload's last row, and prints R, D and T lines.
 */
public final class CanalService {
    private static final String DESTINATION = "compat";
    private static final String ALL = ".*\\..*";
    private static final int BATCH = 1000;

    private CanalService() {}

    /**
     * Reads.
     *
     * @param arguments folder for its own files, port, user, password; file, position, the time of this place in milliseconds, without which canal
     *     does not begin with table definitions of its own; GTID set: it begins by position where the set is empty
     */
    public static void main(String[] arguments) throws IOException {
        CanalInstanceWithManager instance = instance(arguments);
        MysqlEventParser parser = (MysqlEventParser) instance.getEventParser();
        String url = "jdbc:h2:" + Path.of(arguments[0]).resolve("h2") + ";MODE=MYSQL";
        parser.setTsdbJdbcUrl(url);
        parser.setTsdbJdbcUserName("canal");
        parser.setTsdbJdbcPassword("canal");
        parser.setTableMetaTSDBFactory(new TableHistory(url));
        parser.setEnableTsdb(true);
        CanalServerWithEmbedded embedded = CanalServerWithEmbedded.instance();
        embedded.setCanalInstanceGenerator(destination -> instance);
        CanalServerWithNetty server = CanalServerWithNetty.instance();
        int port = freePort();
        server.setIp("127.0.0.1");
        server.setPort(port);
        server.setEmbeddedServer(embedded);
        server.start();
        embedded.start(DESTINATION);
        read(CanalConnectors.newSingleConnector(new InetSocketAddress("127.0.0.1", port), DESTINATION, "", ""));
    }

    private static CanalInstanceWithManager instance(String[] arguments) {
        CanalParameter parameter = new CanalParameter();
        parameter.setSlaveId(4721L);
        parameter.setDbAddresses(List.of(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]))));
        parameter.setDbUsername(arguments[2]);
        parameter.setDbPassword(arguments[3]);
        parameter.setPositions(List.of("{\"journalName\":\"" + arguments[4] + "\",\"position\":" + arguments[5]
                + ",\"timestamp\":" + arguments[6] + ",\"gtid\":\"" + arguments[7] + "\"}"));
        parameter.setGtidEnable(!arguments[7].isEmpty());
        parameter.setMetaMode(CanalParameter.MetaMode.MEMORY);
        parameter.setIndexMode(CanalParameter.IndexMode.MEMORY_META_FAILBACK);
        Canal canal = new Canal();
        canal.setId(1L);
        canal.setName(DESTINATION);
        canal.setCanalParameter(parameter);
        return new CanalInstanceWithManager(canal, ALL);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Returns never: the process ends behind the last row. */
    private static void read(CanalConnector client) throws InvalidProtocolBufferException {
        EntryLines lines = new EntryLines();
        client.connect();
        client.subscribe(ALL);
        while (true) {
            Message message = client.getWithoutAck(BATCH, 1L, TimeUnit.SECONDS);
            for (CanalEntry.Entry entry : message.getEntries()) {
                lines.accept(entry);
            }
            if (message.getId() != -1) {
                client.ack(message.getId());
            }
        }
    }
}
