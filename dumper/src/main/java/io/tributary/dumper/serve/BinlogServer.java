package io.tributary.dumper.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogFiles;
import io.tributary.mysql.protocol.server.MysqlServer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Serves the binlog to readers over the MySQL protocol. Owns no thread: it lives on the event loops that it is given. */
public final class BinlogServer implements AutoCloseable {
    private final BinlogFiles files;
    private final ReaderLanes lanes;
    private final Runnable wake;
    private final Admission admission;
    private final MysqlServer server;

    /**
     * Starts to listen.
     *
     * @param folder of the users file and of the certificate that the node makes for itself
     * @param version as the greeting and {@code @@version} name it, such as {@code 8.0.31-tributary}
     * @param group event loops, which it does not own
     * @throws io.tributary.common.error.TributaryException when the address cannot be listened on, or users or certificate
     *     cannot be used
     */
    public BinlogServer(
            ServeConfig config,
            Path folder,
            String version,
            BinlogFiles files,
            EventLoopGroup group,
            Clock clock,
            Metrics metrics) {
        this.files = files;
        this.lanes = new ReaderLanes(group);
        this.admission = new Admission(config, folder, clock);
        Readers readers = new Readers();
        LiveStatus status =
                new LiveStatus(version, files, readers, config.listen().port());
        SessionCommands commands = new SessionCommands(files, lanes, readers, new Statements(status, clock), clock);
        this.server = MysqlServer.start(group, admission.settings(version), commands);
        status.serve(server);
        this.wake = lanes::wake;
        files.subscribe(wake);
        metrics.register(Metric.SERVE_READERS, lanes::readers);
        metrics.register(Metric.SERVE_BYTES, lanes::bytes);
        metrics.register(Metric.SERVE_LOGINS_REFUSED, server::refusedLogins);
        admission.register(metrics);
    }

    /** The address that readers connect to, with its real port. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Who may log in, in a few words, with what is wrong with the files of users and certificates. */
    public String users() {
        return admission.facts();
    }

    /** Ends all sessions and stops listening. Not on an event loop. */
    @Override
    public void close() {
        files.unsubscribe(wake);
        server.close();
    }

    /** One lane for each event loop; readers are dealt out in turn. */
    static final class ReaderLanes {
        private final List<ReaderLane> lanes = new ArrayList<>();
        private int next;

        ReaderLanes(EventLoopGroup group) {
            for (EventExecutor loop : group) {
                lanes.add(new ReaderLane(loop));
            }
        }

        synchronized ReaderLane next() {
            next = (next + 1) % lanes.size();
            return lanes.get(next);
        }

        void wake() {
            for (ReaderLane lane : lanes) {
                lane.wake();
            }
        }

        long readers() {
            return lanes.stream().mapToLong(ReaderLane::readers).sum();
        }

        long bytes() {
            return lanes.stream().mapToLong(ReaderLane::bytes).sum();
        }
    }
}
