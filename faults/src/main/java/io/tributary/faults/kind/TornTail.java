package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.reader.LiveReader;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Site;
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
 * The Dumper is killed while its readers get nothing, and the tail of its last file is lost from a random byte on behind what anybody
 * was served; or, as file systems do, it is there and all zeros.
 *
 * @param zeros whether it is zeros
 */
public record TornTail(boolean zeros) implements Fault {
    private static final int UNSERVED = 40;

    @Override
    public String name() {
        return zeros ? "zero-tail" : "torn-tail";
    }

    @Override
    public String words() {
        return "kill -9 of the leader, then its last file is " + (zeros ? "zeros" : "cut off")
                + " from a random byte on behind what was served";
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException, SQLException {
        NodeProcess dumper = site.leader();
        TcpProxy serve = site.link(Link.SERVE).orElseThrow();
        serve.halfOpen();
        site.awaitMore(1 + strike.random().nextInt(UNSERVED));
        strike.now();
        dumper.kill9();
        strike.inPlace();
        serve.cut().pass();
        lose(site, dumper, strike);
        dumper.launch();
        strike.healed();
    }

    private void lose(Site site, NodeProcess dumper, Strike strike) throws IOException, SQLException {
        Path file = BinlogFolder.last(Site.binlogFolder(dumper));
        long from = served(site.replica(), file);
        for (LiveReader reader : site.readers().values()) {
            from = Math.max(from, reader.served(name(file)));
        }
        long size = Files.size(file);
        if (from >= size) {
            return;
        }
        long at = from + strike.random().nextLong(size - from);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(at);
            if (zeros) {
                channel.write(ByteBuffer.allocate((int) (size - at)), at);
            }
        }
    }

    /** How far the replica was served in this file. */
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
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
