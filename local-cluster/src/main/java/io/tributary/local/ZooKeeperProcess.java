package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Machine;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** A real ZooKeeper server as a child process, on loopback by default. Its files are in a folder, so it can be killed and started again. */
public final class ZooKeeperProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ANSWER_MILLIS = 2000;

    private final Machine machine;
    private final Path folder;
    private final int tickMillis;
    private final int port = Ports.free();
    private final int securePort = Ports.free();
    private List<String> secured = List.of(); // lines of its configuration
    private ChildProcess process;

    /**
     * A server that is not started yet.
     *
     * @param tickMillis its tickTime in ms; the shortest session timeout is two ticks
     */
    public ZooKeeperProcess(Path folder, int tickMillis) {
        this(folder, tickMillis, Machine.LOOPBACK);
    }

    /** A server that is not started yet, on another machine. */
    public ZooKeeperProcess(Path folder, int tickMillis, Machine machine) {
        this.machine = machine;
        this.folder = folder;
        this.tickMillis = tickMillis;
    }

    /**
     * Opens a second port with TLS, for clients that present a certificate. Call it before the server is launched.
     *
     * @param identity certificate and key in one PEM file
     * @param authority the CA of the clients' certificates
     */
    public ZooKeeperProcess secure(Path identity, Path authority) {
        secured = List.of(
                "secureClientPort=" + securePort,
                "secureClientPortAddress=" + machine.address(),
                "serverCnxnFactory=" + NettyServerCnxnFactory.class.getName(),
                "ssl.clientAuth=need",
                "ssl.keyStore.location=" + identity,
                "ssl.keyStore.type=PEM",
                "ssl.trustStore.location=" + authority,
                "ssl.trustStore.type=PEM");
        return this;
    }

    /** The value for {@code cluster.zookeeper}. */
    public String address() {
        return machine.address() + ":" + (secured.isEmpty() ? port : securePort);
    }

    /** The port without TLS. */
    public int port() {
        return port;
    }

    /** Starts the process and does not wait. After a kill, it has its data again. */
    public ZooKeeperProcess launch() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        process = ChildProcess.start(
                machine.command(List.of(
                        java,
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes,
                        ZooKeeperServerMain.class.getName(),
                        configuration().toString())),
                folder.resolve("zookeeper.log"));
        return this;
    }

    /** Waits until it serves. */
    public ZooKeeperProcess awaitServing() {
        Await.until("ZooKeeper at " + address() + ", files in " + folder, LIMIT, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("ZooKeeper ended with status " + process.exitValue() + ": "
                        + Files.readString(folder.resolve("zookeeper.log")));
            }
            return isServing();
        });
        return this;
    }

    private Path configuration() {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + tickMillis,
                "dataDir=" + folder.resolve("data"),
                "clientPort=" + port,
                "clientPortAddress=" + machine.address(),
                "maxClientCnxns=0",
                "admin.enableServer=false"));
        lines.addAll(secured);
        try {
            Files.createDirectories(folder);
            return Files.write(folder.resolve("zoo.cfg"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write in " + folder, e);
        }
    }

    /** Sends ZooKeeper's four-letter command {@code srvr}. */
    private boolean isServing() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(machine.address(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.contains("Mode: standalone");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Creates znodes that are kept and open to everybody.
     *
     * @param znodes data by path, parents first
     */
    public ZooKeeperProcess create(SortedMap<String, String> znodes) throws Exception {
        try (CuratorFramework client = client()) {
            for (Map.Entry<String, String> znode : znodes.entrySet()) {
                client.create().forPath(znode.getKey(), znode.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return this;
    }

    /** The data of a znode. */
    public String data(String path) throws Exception {
        try (CuratorFramework client = client()) {
            return new String(client.getData().forPath(path), StandardCharsets.UTF_8);
        }
    }

    private CuratorFramework client() {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(machine.address() + ":" + port, new RetryOneTime(ANSWER_MILLIS));
        client.start();
        return client;
    }

    public ChildProcess process() {
        return process;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
