package io.tributary.dumper.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogFiles;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.UserStore;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Serves the binlog to readers over the MySQL protocol. Owns no thread: it lives on the event loops that it is given. */
public final class BinlogServer implements AutoCloseable {
    private final BinlogFiles files;
    private final ReaderLanes lanes;
    private final Runnable wake;
    private final MysqlServer server;

    /**
     * Starts to listen.
     *
     * @param version as the greeting and {@code @@version} name it, such as {@code 8.0.31-tributary}
     * @param group event loops, which it does not own
     * @throws io.tributary.common.error.TributaryException when the address cannot be listened on
     */
    public BinlogServer(
            ServeConfig config, String version, BinlogFiles files, EventLoopGroup group, Clock clock, Metrics metrics) {
        this.files = files;
        this.lanes = new ReaderLanes(group);
        Account account = Account.withPassword(
                config.user(),
                AuthMethod.CACHING_SHA2_PASSWORD,
                config.password().reveal());
        UserStore users = name -> name.equals(config.user()) ? Optional.of(account) : Optional.empty();
        ServerSettings settings =
                ServerSettings.of(config.listen().resolve(), version, users).withMaxConnections(config.connections());
        Readers readers = new Readers();
        LiveStatus status =
                new LiveStatus(version, files, readers, config.listen().port());
        SessionCommands commands = new SessionCommands(files, lanes, readers, new Statements(status, clock), clock);
        this.server = MysqlServer.start(group, settings, commands);
        status.serve(server);
        this.wake = lanes::wake;
        files.subscribe(wake);
        metrics.register(Metric.SERVE_READERS, lanes::readers);
        metrics.register(Metric.SERVE_BYTES, lanes::bytes);
    }

    /** The address that readers connect to, with its real port. */
    public InetSocketAddress address() {
        return server.address();
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
