package io.tributary.mysql.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A separate MySQL 8.0.31 server in a directory, on loopback, for the tests of this module, on which the testkit is built. Its
 * root has no password. The process that started it ends it.
 */
final class RealMysqld implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final Path datadir;
    private final int port;
    private final Process process;

    private RealMysqld(Path datadir, int port, Process process) {
        this.datadir = datadir;
        this.port = port;
        this.process = process;
    }

    static RealMysqld in(Path directory) throws IOException, InterruptedException {
        Path software = unpacked(directory.resolve("software"));
        Path datadir = directory.resolve("data");
        int port = freePort();
        run(command(software, datadir, "--initialize-insecure"), directory.resolve("initialize.log"));
        List<String> command = command(software, datadir, "--port=" + port);
        command.addAll(List.of(
                "--bind-address=127.0.0.1",
                "--mysqlx=OFF",
                "--socket=" + directory.resolve("s"),
                "--pid-file=" + directory.resolve("pid"),
                "--server-id=7",
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--max-allowed-packet=256M",
                "--innodb-buffer-pool-size=64M"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("mysqld.log").toFile())
                .start();
        RealMysqld server = new RealMysqld(datadir, port, process);
        server.awaitListening(directory.resolve("mysqld.log"));
        return server;
    }

    int port() {
        return port;
    }

    Path datadir() {
        return datadir;
    }

    private static Path unpacked(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Process tar = new ProcessBuilder("tar", "xz", "-C", directory.toString())
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        try (InputStream archive = RealMysqld.class.getResourceAsStream("/mysql-Linux-amd64.tar.gz");
                var stdin = tar.getOutputStream()) {
            archive.transferTo(stdin);
        }
        if (tar.waitFor() != 0) {
            throw new IOException("tar failed with " + tar.exitValue());
        }
        return directory;
    }

    private static List<String> command(Path software, Path datadir, String option) {
        List<String> command = new ArrayList<>();
        command.add(software.resolve("bin/mysqld").toString());
        command.addAll(List.of("--no-defaults", "--datadir=" + datadir, "--innodb-redo-log-capacity=33554432", option));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root");
        }
        return command;
    }

    private static void run(List<String> command, Path log) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(Files.readString(log));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitListening(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.getInputStream().read() >= 0) {
                    return;
                }
            } catch (IOException notYet) {
                if (System.nanoTime() > deadline || process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    close();
                    throw new IOException(Files.readString(log), notYet);
                }
            }
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
