package io.tributary.bench.source;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlUser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The loopback source as a separate process, with a connection that reads the progress of each shard. */
public final class SourceProcess implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final ChildProcess process;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("bench-control", true), NioIoHandler.newFactory());
    private final Map<String, MysqlConnection> control = new LinkedHashMap<>();

    /**
     * The progress of reading a shard.
     *
     * @param firstReadMicros when its first permanent reader began, in µs since 1970; 0 for not yet
     * @param readBytes bytes of its canned binlog that permanent readers have read
     * @param lastNumber GTID number of its last canned transaction; 0 until it was read
     */
    public record Progress(long firstReadMicros, long readBytes, long lastNumber) {}

    private SourceProcess(ChildProcess process) {
        this.process = process;
    }

    /** Starts it over the existing canned binlogs of this many shards; each is sent {@code laps} times. */
    public static SourceProcess start(int shards, int mib, int laps) throws IOException {
        ChildProcess child = ChildProcess.start(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoopbackSource.class.getName(),
                        Integer.toString(shards),
                        Integer.toString(mib),
                        Integer.toString(laps))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        SourceProcess source = new SourceProcess(child);
        try {
            source.readPorts();
            source.connect();
            return source;
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
    }

    private void readPorts() throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); !"ready".equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IOException("the loopback source ended at its start");
            }
            int space = line.indexOf(' ');
            ports.put(line.substring(0, space), Integer.parseInt(line.substring(space + 1)));
        }
    }

    private void connect() {
        MysqlUser user = MysqlUser.tributary();
        MysqlClient client = new MysqlClient(loop);
        ports.forEach((shard, port) -> control.put(
                shard,
                client.connect(Endpoint.of("127.0.0.1", port, user.name(), user.password()))
                        .join()));
    }

    /** The names of the shards, in order. */
    public List<String> shards() {
        return List.copyOf(ports.keySet());
    }

    /** The port of a shard on 127.0.0.1. */
    public int port(String shard) {
        return ports.get(shard);
    }

    public long pid() {
        return process.pid();
    }

    /** Resets all shards to their initial state. */
    public void reset() {
        control.values().forEach(connection -> connection.query(LoopbackShard.RESET, ANSWER_WITHIN));
    }

    public Progress progress(String shard) {
        QueryResult answer = control.get(shard).query(LoopbackShard.STATUS, ANSWER_WITHIN);
        return new Progress(
                Long.parseLong(answer.text(0, "first_read_micros")),
                Long.parseLong(answer.text(0, "read_bytes")),
                Long.parseLong(answer.text(0, "last_number")));
    }

    /** The bytes that all shards have sent. */
    public long readBytes() {
        return shards().stream().mapToLong(shard -> progress(shard).readBytes()).sum();
    }

    @Override
    public void close() {
        control.values().forEach(MysqlConnection::close);
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        process.close();
    }
}
