package io.tributary.faults.kind;

import io.tributary.faults.reader.LiveReader;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlReplica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Fault: the Dumper is killed while its readers receive nothing, and its last file is truncated at a random byte after the last byte that any reader
 * was served; or, as some file systems do, the tail is filled with zeros.
 *
 * @param zeros whether the tail is filled with zeros instead of truncated
 */
public record TornTail(boolean zeros) implements Fault {
    private static final int UNSERVED = 40;

    @Override
    public String name() {
        return zeros ? "zero-tail" : "torn-tail";
    }

    @Override
    public String words() {
        return "kill -9 of the leader, then its last file is " + (zeros ? "filled with zeros" : "truncated")
                + " from a random byte after the last byte that was served";
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) throws IOException, SQLException {
        NodeProcess dumper = cluster.leader();
        TcpProxy serve = cluster.link(Link.SERVE).orElseThrow();
        serve.halfOpen();
        cluster.awaitMore(1 + injection.random().nextInt(UNSERVED));
        injection.now();
        dumper.kill9();
        injection.inPlace();
        serve.cut().pass();
        lose(cluster, dumper, injection);
        dumper.launch();
        injection.repaired();
    }

    private void lose(TestCluster cluster, NodeProcess dumper, Injection injection) throws IOException, SQLException {
        Path file = BinlogFolder.last(TestCluster.binlogFolder(dumper));
        long from = served(cluster.replica(), file);
        for (LiveReader reader : cluster.readers().values()) {
            from = Math.max(from, reader.served(name(file)));
        }
        long size = Files.size(file);
        if (from >= size) {
            return;
        }
        long at = from + injection.random().nextLong(size - from);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(at);
            if (zeros) {
                channel.write(ByteBuffer.allocate((int) (size - at)), at);
            }
        }
    }

    /** The end of the bytes of this file that the replica was served; 0 for none. */
    private static long served(MysqlReplica replica, Path file) throws SQLException {
        Map<String, String> status = replica.status();
        return List.of(status.getOrDefault("Source_Log_File", "")).contains(name(file))
                ? Long.parseLong(status.get("Read_Source_Log_Pos"))
                : 0;
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
