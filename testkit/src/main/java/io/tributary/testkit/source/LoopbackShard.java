package io.tributary.testkit.source;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.ServerSettings;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.testkit.server.MysqlUser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Serves a {@link PolarDbxLog} on loopback as its server would: logins, checks, rounds, and dumps that continue as the log grows. */
public final class LoopbackShard implements CommandHandler, AutoCloseable {
    private static final Pattern SET_USER_VARIABLE =
            Pattern.compile("@(\\w+)\\s*=\\s*('[^']*'|@@global\\.binlog_checksum|\\d+)", Pattern.CASE_INSENSITIVE);

    private final PolarDbxLog log;
    private final ShardAnswers answers;
    private final EventLoopGroup loop;
    private final MysqlServer server;
    private final Set<LogReader> readers = new HashSet<>(); // on the loop

    private LoopbackShard(PolarDbxLog log) {
        this.log = log;
        this.answers = new ShardAnswers(log);
        this.loop =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("shard", true), NioIoHandler.newFactory());
        MysqlUser user = MysqlUser.tributary();
        Account account = Account.withPassword(user.name(), AuthMethod.CACHING_SHA2_PASSWORD, user.password());
        this.server = MysqlServer.start(
                loop,
                ServerSettings.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        log.serverVersion(),
                        name -> name.equals(user.name()) ? Optional.of(account) : Optional.empty()),
                this);
    }

    /** Serves the log at a free port for the user {@link MysqlUser#tributary}. */
    public static LoopbackShard serve(PolarDbxLog log) {
        LoopbackShard shard = new LoopbackShard(log);
        log.onGrowth(() -> shard.loop.execute(() -> List.copyOf(shard.readers).forEach(LogReader::pump)));
        return shard;
    }

    /** Its port on loopback. */
    public int port() {
        return server.address().getPort();
    }

    @Override
    public void query(Session session, String sql) {
        if (sql.regionMatches(true, 0, "SET ", 0, 4)) {
            set(session, sql);
        } else if (sql.regionMatches(true, 0, "SELECT @", 0, 8) && sql.charAt(8) != '@') {
            String name = sql.substring(8).strip();
            session.resultSet(
                    ResultSet.of(sql.substring(7)).row(session.variables().get(name)));
        } else if (sql.startsWith("UPDATE tributary.heartbeat SET ")) {
            session.ok(log.update(HeartbeatUpdate.parse(sql)) ? 1 : 0, 0);
        } else {
            answers.answer(session, sql);
        }
    }

    private static void set(Session session, String sql) {
        Matcher matcher = SET_USER_VARIABLE.matcher(sql);
        while (matcher.find()) {
            String value = matcher.group(2);
            session.variables().put(matcher.group(1), value.startsWith("@@") ? "CRC32" : value.replace("'", ""));
        }
        session.ok();
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink sink) {
        if (!"CRC32".equalsIgnoreCase(session.variables().get("source_binlog_checksum"))) {
            sink.fail(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG, "this shard sends events with checksums only");
            return;
        }
        GtidSet known = request.gtids().orElse(GtidSet.EMPTY);
        LogReader reader = new LogReader(log, sink, known, !request.isNonBlocking());
        readers.removeIf(other -> !other.isOpen());
        readers.add(reader);
        reader.begin();
    }

    /** Closes all connections and its event loop. */
    @Override
    public void close() {
        log.onGrowth(() -> {});
        server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
