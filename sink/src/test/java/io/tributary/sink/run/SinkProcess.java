package io.tributary.sink.run;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.sink.Guarantee;
import io.tributary.sink.SinkPlan;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlServer;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** A sink in a process of its own, which can be killed: it begins a new run after each error. */
final class SinkProcess {
    private static final Duration PAUSE = Duration.ofMillis(300);

    private SinkProcess() {}

    static ChildProcess start(SinkRig rig, Guarantee guarantee, Path log) {
        return start(rig, guarantee, log, 0, Long.MAX_VALUE);
    }

    /**
     * Starts a sink that sends rows of a snapshot first.
     *
     * @param snapshot port of the server that has them; 0 for none
     * @param last number of the last row that it can send
     */
    static ChildProcess start(SinkRig rig, Guarantee guarantee, Path log, int snapshot, long last) {
        return ChildProcess.start(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        SinkProcess.class.getName(),
                        rig.brokers().addresses(),
                        Integer.toString(rig.source().port()),
                        guarantee.name(),
                        Integer.toString(snapshot),
                        Long.toString(last)),
                log);
    }

    /** Some programs that run tests load the classes themselves. */
    private static String classPath() {
        return SinkProcess.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    /** @param args addresses of the brokers, port of the source, guarantee, port of the server of the snapshot or 0, its last row */
    public static void main(String[] args) {
        SinkPlans plans = new SinkPlans(args[0]);
        plans.guarantee = Guarantee.valueOf(args[2]);
        plans.rules = List.of("*.nokey:none", "*.*:key");
        if (!args[3].equals("0")) {
            plans.snapshot = Optional.of(SinkRig.snapshot(Integer.parseInt(args[3])));
            plans.format = new SlowFormat(new TextFormat(false), 20_000, Long.parseLong(args[4]));
            plans.commit = new SinkPlan.Commit(Duration.ofMillis(1), 1, 1000);
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        MysqlClient client = new MysqlClient(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()));
        Sink sink = new Sink(client, plans.plan(), Clock.SYSTEM);
        Endpoint source =
                Endpoint.of("127.0.0.1", Integer.parseInt(args[1]), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        while (true) {
            try {
                sink.run(Peer.node(source, Duration.ofSeconds(30)), threads);
            } catch (RuntimeException e) {
                System.err.println(e);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
