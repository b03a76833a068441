package io.tributary.testkit.kafka;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One Kafka broker, which is also a controller (KRaft), as a process on 127.0.0.1 with a folder of its own. The listener {@code PLAINTEXT} needs no login; its
 * user is {@code ANONYMOUS}, who may do everything. Its jars are in the folder of the system property {@code tributary.kafka}, or in {@code
 * sink/target/kafka}, where the build of the module {@code sink} copies them.
 */
public final class KafkaBroker implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CONNECT_MILLIS = 500;

    private final int id;
    private final int port;
    private final int loginPort;
    private final Path folder;
    private ChildProcess process;

    /**
     * Made by {@link KafkaBrokers}.
     *
     * @param loginPort of the listener with logins, 0 for none
     */
    KafkaBroker(int id, int port, int loginPort, Path folder) {
        this.id = id;
        this.port = port;
        this.loginPort = loginPort;
        this.folder = folder;
    }

    private Path settings() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("broker.log");
    }

    /** Writes the settings and formats the storage. */
    void format(String cluster, List<String> settings) throws IOException {
        Files.createDirectories(folder);
        Files.write(settings(), settings);
        ChildProcess tool = ChildProcess.start(
                java(
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        cluster,
                        "-c",
                        settings().toString()),
                log());
        try (tool) {
            if (!tool.awaitExit(LIMIT) || tool.exitValue() != 0) {
                throw new IllegalStateException("cannot format the storage of a broker: " + Files.readString(log()));
            }
        }
    }

    private static List<String> java(String main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                jars().resolve("*").toString(),
                main));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path jars() {
        Optional<Path> named =
                Optional.ofNullable(System.getProperty("tributary.kafka")).map(Path::of);
        if (named.isPresent()) {
            return named.get();
        }
        for (Path place = Path.of("").toAbsolutePath(); place != null; place = place.getParent()) {
            Path found = place.resolve("sink/target/kafka");
            if (Files.isDirectory(found)) {
                return found;
            }
        }
        throw new IllegalStateException(
                "expected the jars of a Kafka broker in sink/target/kafka, found none; run mvn package -pl sink -am");
    }

    void start() {
        process = ChildProcess.start(java("kafka.Kafka", settings().toString()), log());
    }

    void awaitOpen() {
        Await.until(
                () -> "broker " + id + " to listen on port " + port + ": " + tail(),
                LIMIT,
                () -> isOpen() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("broker " + id + " has ended: " + tail());
        }
    }

    private boolean isOpen() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String tail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its number in the cluster. */
    public int id() {
        return id;
    }

    /** Address and port without logins. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Address and port with logins (SASL_PLAINTEXT, PLAIN); only if the brokers were started with users. */
    public String loginAddress() {
        if (loginPort == 0) {
            throw new IllegalStateException("the brokers have no users");
        }
        return "127.0.0.1:" + loginPort;
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Kills its process (SIGKILL) and returns after it has ended. */
    public void kill9() {
        process.kill9();
    }

    /** Stops its process (SIGSTOP), until {@link #resume}. */
    public void pause() {
        process.pause();
    }

    /** Resumes it. */
    public void resume() {
        process.resume();
    }

    /** Starts it again with the same ports and folder, after {@link #kill9}. */
    public void restart() {
        process.close();
        start();
        awaitOpen();
    }

    /** Ends its process, and deletes the folder. */
    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
