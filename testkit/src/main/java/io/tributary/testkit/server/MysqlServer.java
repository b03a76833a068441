package io.tributary.testkit.server;

import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A real MySQL or MariaDB server, on loopback by default, with its own data folder, port, server id and socket. GTIDs are on; full row images
 * and metadata are in the binlog.
 *
 * <p>At each commit it flushes to the operating system, not to the disk: no acknowledged transaction is lost when the
 * process is killed. {@link #close()} ends the process in any state and deletes a temporary folder.
 */
public final class MysqlServer implements AutoCloseable {
    /** The user of {@link #connection()}, with all rights, from any host. */
    public static final String ROOT = MysqlTemplate.ROOT;

    public static final String ROOT_PASSWORD = MysqlTemplate.PASSWORD;

    private static final Duration READY_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);
    private static final int PORT_TRIES = 10;
    private static final int LONGEST_SOCKET_PATH = 100;

    private final MysqlOptions options;
    private final MysqlDistribution distribution;
    private final Path folder;
    private final Path socket;
    private Path data;
    private int port;
    private ChildProcess process;

    private MysqlServer(MysqlOptions options, MysqlDistribution distribution, Path folder) throws IOException {
        this.options = options;
        this.distribution = distribution;
        this.folder = folder;
        this.data = folder.resolve("data");
        Path beside = folder.resolve("mysqld.sock");
        this.socket = beside.toString().length() <= LONGEST_SOCKET_PATH
                ? beside
                : Files.createTempDirectory("tributary-").resolve("mysqld.sock");
    }

    /** Starts a server and waits until it answers a login. */
    public static MysqlServer start(MysqlOptions options) {
        MysqlServer server = launch(options);
        try {
            server.awaitReady();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** As {@link #start(MysqlOptions)}, with the testkit's options. */
    public static MysqlServer start(String name) {
        return start(MysqlOptions.named(name));
    }

    /** Starts the process and does not wait, so that several servers can start at the same time; see {@link #awaitReady()}. */
    static MysqlServer launch(MysqlOptions options) {
        try {
            MysqlDistribution distribution = options.release().distribution();
            Path template = MysqlTemplate.cached(distribution);
            Path folder = options.folder().isPresent()
                    ? Files.createDirectories(options.folder().get()).toAbsolutePath()
                    : Files.createTempDirectory("tributary-" + options.name() + "-");
            MysqlServer server = new MysqlServer(options, distribution, folder);
            if (!Files.exists(server.dataFolder())) {
                Folders.copy(template, server.dataFolder());
            }
            server.port = Ports.free();
            server.launchProcess();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot set up MySQL server " + options.name() + ": " + e.getMessage(), e);
        }
    }

    private void launchProcess() {
        process = ChildProcess.start(options.machine().command(command()), log());
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(distribution.mysqld());
        command.addAll(List.of(
                "--no-defaults",
                "--basedir=" + distribution.base(),
                "--datadir=" + dataFolder(),
                "--bind-address=" + host(),
                "--port=" + port,
                "--socket=" + socket,
                "--pid-file=" + folder.resolve("mysqld.pid"),
                "--server-id=" + serverId()));
        command.addAll(ServerCommand.options(distribution.release()));
        distribution.clientPlugins().ifPresent(plugins -> command.add("--plugin-dir=" + plugins));
        command.addAll(options.extra());
        return command;
    }

    /** Returns when a login works and this server answers it; on another port if this one is in use. */
    void awaitReady() {
        for (int tries = 1; ; tries++) {
            Await.until(
                    "MySQL server " + name() + " on port " + port, READY_LIMIT, () -> !process.isAlive() || answers());
            if (process.isAlive()) {
                return;
            }
            String why = MysqlDistribution.explain(log());
            if (tries == PORT_TRIES || !why.contains("Bind on TCP/IP port")) {
                throw new IllegalStateException("MySQL server " + name() + " did not start: " + why);
            }
            port = Ports.free();
            clearLog();
            launchProcess();
        }
    }

    private boolean answers() {
        try (Sql sql = sql()) {
            return Path.of(sql.text("SELECT @@datadir")).equals(dataFolder());
        } catch (SQLException e) {
            return false;
        }
    }

    private void clearLog() {
        try {
            Files.delete(log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return options.name();
    }

    /** Its IP address, which needs no resolver: 127.0.0.1, unless it runs on another machine. */
    public String host() {
        return options.machine().address();
    }

    public int port() {
        return port;
    }

    public int serverId() {
        return options.serverId() == 0 ? port : options.serverId();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** The folder with the binlog files, their index and all other data. */
    public Path dataFolder() {
        return data;
    }

    /** The server's error log, which continues after restarts. */
    public Path log() {
        return folder.resolve("mysqld.log");
    }

    public Path socket() {
        return socket;
    }

    /** The binlog files, oldest first. */
    public List<Path> binlogFiles() {
        try (var files = Files.list(dataFolder())) {
            return files.filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new connection as root, without a default schema, in autocommit mode. */
    public Connection connection() throws SQLException {
        return Sql.connect(host(), port, ROOT, ROOT_PASSWORD);
    }

    /** A new session as root. */
    public Sql sql() throws SQLException {
        return new Sql(connection());
    }

    /** Runs statements in a new session. */
    public void execute(String... statements) throws SQLException {
        try (Sql sql = sql()) {
            sql.execute(statements);
        }
    }

    public MysqlRelease release() {
        return options.release();
    }

    /** The server's UUID, which is in its GTIDs. */
    public String uuid() throws SQLException {
        return text("SELECT @@server_uuid");
    }

    /** {@code gtid_executed} in MySQL's text form, on one line; for MariaDB {@code gtid_binlog_state}. */
    public String gtidExecuted() throws SQLException {
        if (release().isMariadb()) {
            return text("SELECT @@gtid_binlog_state");
        }
        return text("SELECT @@GLOBAL.gtid_executed").replace("\n", "");
    }

    /** The first column of a query's only row. */
    public String text(String query) throws SQLException {
        try (Sql sql = sql()) {
            return sql.text(query);
        }
    }

    /** Kills the process (SIGKILL) and returns after it has ended. */
    public void kill9() {
        process.kill9();
    }

    /** Stops the process (SIGSTOP) until {@link #resume()}: connections stay open, and nothing answers. */
    public void pause() {
        process.pause();
    }

    /** Resumes a stopped process (SIGCONT). */
    public void resume() {
        process.resume();
    }

    /** Shuts the server down. */
    public void stop() {
        if (!process.terminate(STOP_LIMIT)) {
            throw new IllegalStateException("MySQL server " + name() + " did not shut down and was killed");
        }
    }

    /** Starts the server again with the same data and port; stops it first if it runs. */
    public void restart() {
        if (isRunning()) {
            stop();
        }
        Await.until("port " + port + " to be free", STOP_LIMIT, () -> Ports.isFree(port));
        launchProcess();
        Await.until("MySQL server " + name() + " after its restart", READY_LIMIT, () -> !isRunning() || answers());
        if (!isRunning()) {
            throw new IllegalStateException(
                    "MySQL server " + name() + " did not start again: " + MysqlDistribution.explain(log()));
        }
    }

    /**
     * Kills the process (SIGKILL) and starts a replica's data in its place, at the same port and with the replica's server UUID. The replica
     * itself is ended before; its folder must exist as long as this server runs.
     */
    public void failOverTo(MysqlServer replica) {
        kill9();
        replica.stop();
        data = replica.dataFolder();
        restart();
    }

    @Override
    public void close() {
        process.close();
        try {
            if (options.folder().isEmpty()) {
                Folders.delete(folder);
            }
            if (!socket.startsWith(folder)) {
                Folders.delete(socket.getParent());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
