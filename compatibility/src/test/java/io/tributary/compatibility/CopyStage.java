package io.tributary.compatibility;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Two shards with tables of which each shard has a part, and Tributary with SELECTs on tables before them. Clients copy the tables one after
 * another, each while sessions write all shards.
 */
final class CopyStage implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long SEED = 20_262;
    private static final int CHANGES_AFTER_COPY = 400;
    private static final int TAIL = 4096;
    private static final int COLUMNS = 6;
    private static final Set<String> SCHEMAS = Set.of("bank", "shop");

    private final Path folder;
    private final LocalCluster cluster;
    private final BankWorkload bank;
    private final OrdersLoad orders;
    private int done;
    private volatile boolean hasEnded;

    private CopyStage(Path folder, LocalCluster cluster) {
        this.folder = folder;
        this.cluster = cluster;
        this.bank = new BankWorkload(
                cluster.shards(),
                BankOptions.seeded(SEED)
                        .accountsPerShard(2000)
                        .vouchersPerShard(40)
                        .threads(2)
                        .perSecond(150));
        this.orders = new OrdersLoad(cluster.shards(), SEED);
    }

    static CopyStage of(MysqlRelease release, Path folder) throws SQLException {
        LocalCluster cluster = LocalCluster.withShards(
                folder.resolve("cluster"),
                List.of(
                        MysqlOptions.named("s1").of(release),
                        MysqlOptions.named("s2").of(release)),
                config -> config.set("serve.select", "true")
                        .set("table.map.orders.from", OrdersLoad.MEMBERS)
                        .set("table.map.orders.to", OrdersLoad.TABLE));
        CopyStage stage = new CopyStage(folder, cluster);
        try {
            stage.start();
            return stage;
        } catch (RuntimeException | SQLException e) {
            cluster.close();
            throw e;
        }
    }

    private void start() throws SQLException {
        bank.prepare();
        orders.prepare();
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(
                    "CREATE TABLE shop.done (id INT PRIMARY KEY)",
                    "CREATE DATABASE signals",
                    "CREATE TABLE signals.debezium (id VARCHAR(42) PRIMARY KEY, type VARCHAR(32), data TEXT)");
        }
        cluster.node().start();
        cluster.awaitAllWritten(LIMIT);
    }

    /** Lets a client copy and read, and checks what it has read. */
    Line line(Client client, String shards) throws Exception {
        String version = client.version();
        boolean isPurged = client.mode().contains(JvmPrograms.PURGED);
        if (isPurged) {
            purge();
        }
        Source source = source(client);
        done++;
        hasEnded = false;
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> write(client, source));
        String problem = null;
        try {
            client.read(source);
        } catch (Exception e) { // what a client does is what the matrix tells
            problem = e.getMessage();
        } finally {
            hasEnded = true;
            load.join();
        }
        if (problem != null) {
            return new Line(client, version, shards, Verdict.FAILS, CompatibilityPage.plain(problem));
        }
        CopyCheck check = CopyCheck.of(
                Files.readAllLines(ProgramClient.output(source)), client.compared() == Compared.COPY_IN_STREAM);
        return difference(check, client.compared())
                .map(words -> new Line(client, version, shards, Verdict.DIFFERS, CompatibilityPage.plain(words)))
                .orElseGet(() -> new Line(client, version, shards, verdict(client), check.count()));
    }

    private static Verdict verdict(Client client) {
        return switch (client.compared()) {
            case STREAM -> Verdict.STREAMED;
            case COPY_IN_STREAM -> Verdict.COPIED_LATER;
            default -> Verdict.COPIED;
        };
    }

    /** The offsets of the first transaction are not in the binlog any more. */
    private void purge() throws SQLException {
        try (Sql sql = new Sql(DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + cluster.servePort() + "/?allowPublicKeyRetrieval=true&sslMode=DISABLED",
                LocalCluster.READER.name(),
                LocalCluster.READER.password()))) {
            sql.execute("FLUSH BINARY LOGS");
            List<Map<String, String>> files = sql.rows("SHOW BINARY LOGS");
            sql.execute("PURGE BINARY LOGS TO '" + files.get(files.size() - 1).get("Log_name") + "'");
        }
    }

    private Source source(Client client) throws IOException {
        String first = cluster.gtidExecuted().replaceFirst(":.*", ":1");
        return new Source(
                "Tributary",
                cluster.servePort(),
                LocalCluster.READER,
                new Source.Place(first, Source.FIRST_FILE, 4, 0),
                cluster.gtidExecuted(),
                cluster.binlogFolder(),
                Files.createDirectories(folder.resolve((client.name() + " " + client.mode()).replaceAll("\\W+", "-"))));
    }

    /** Writes until the client has read some changes after its copy, then a last row. */
    private void write(Client client, Source source) {
        bank.start();
        orders.start();
        try {
            if (client.mode().contains(JvmPrograms.SIGNAL_ON_A_SHARD)) {
                Await.until("the client to begin", LIMIT, () -> hasEnded || readsChanges(source));
                signal();
            }
            Await.until(
                    "the client to read changes", LIMIT.multipliedBy(2), () -> hasEnded || hasCopied(client, source));
            long enough = orders.written() + CHANGES_AFTER_COPY;
            Await.until("more changes", LIMIT, () -> hasEnded || orders.written() >= enough);
        } finally {
            bank.stop();
            orders.stop();
        }
        try {
            cluster.awaitAllWritten(LIMIT);
            cluster.shards().get(0).execute("INSERT INTO shop.done VALUES (" + done + ")");
            cluster.awaitAllWritten(LIMIT);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets Debezium copy all tables. */
    private void signal() {
        try {
            cluster.shards()
                    .get(0)
                    .execute(
                            "INSERT INTO signals.debezium VALUES ('copy', 'execute-snapshot',"
                                    + " '{\"data-collections\": [\"bank\\\\\\\\..*\", \"shop\\\\\\\\..*\"], \"type\": \"incremental\"}')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasCopied(Client client, Source source) throws IOException {
        return client.compared() == Compared.COPY_IN_STREAM
                ? Files.exists(source.folder().resolve(JvmPrograms.COPIED))
                : readsChanges(source);
    }

    /** Whether the last lines are changes. */
    private static boolean readsChanges(Source source) throws IOException {
        Path output = ProgramClient.output(source);
        if (!Files.exists(output)) {
            return false;
        }
        try (FileChannel file = FileChannel.open(output)) {
            ByteBuffer tail = ByteBuffer.allocate(TAIL);
            file.read(tail, Math.max(0, file.size() - TAIL));
            return CopyCheck.of(new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> line.split("\t").length == COLUMNS)
                            .toList())
                    .hasChanges();
        }
    }

    private Optional<String> difference(CopyCheck check, Compared compared) throws SQLException, IOException {
        if (!check.position().isEmpty() && compared != Compared.EXACT_COPY_AND_STREAM) {
            List<String> expected = transactionsAfter(GtidSet.parse(check.position()));
            if (!expected.equals(check.gtids())) {
                return Optional.of("expected the " + expected.size() + " transactions after " + check.position()
                        + ", found " + check.gtids().size() + ", or in another order");
            }
        }
        return compared == Compared.STREAM
                ? check.differenceOfChangesTo(rows())
                : check.differenceTo(rows(), compared == Compared.EXACT_COPY_AND_STREAM);
    }

    private List<String> transactionsAfter(GtidSet position) throws IOException {
        return BinlogReader.ofFolder(cluster.binlogFolder()).all().stream()
                .filter(transaction -> transaction.gtid() != null && !position.contains(transaction.gtid()))
                .filter(CopyStage::hasRows)
                .map(transaction -> transaction.gtid().toString())
                .toList();
    }

    private static boolean hasRows(BinlogTransaction transaction) {
        return transaction.changes().stream().anyMatch(change -> SCHEMAS.contains(change.schema()));
    }

    /** The rows of all shards by table and key, as Debezium's records show them. */
    private Map<String, String> rows() throws SQLException {
        Map<String, String> all = new HashMap<>();
        for (MysqlServer shard : cluster.shards()) {
            try (Sql sql = shard.sql()) {
                add(all, "bank.accounts", List.of("id"), sql.rows("SELECT * FROM bank.accounts"));
                add(all, "bank.transfers", List.of("id", "shard"), sql.rows("SELECT * FROM bank.transfers"));
                add(all, "bank.vouchers", List.of("id"), sql.rows("SELECT * FROM bank.vouchers"));
                add(all, "shop.done", List.of("id"), sql.rows("SELECT * FROM shop.done"));
                for (String member : orders.members(shard)) {
                    add(all, OrdersLoad.TABLE, List.of("id"), sql.rows("SELECT * FROM " + member));
                }
            }
        }
        return all;
    }

    private static void add(Map<String, String> all, String table, List<String> key, List<Map<String, String>> rows) {
        for (Map<String, String> row : rows) {
            String id = key.stream().map(row::get).collect(Collectors.joining(","));
            String words = row.entrySet().stream()
                    .map(column -> column.getKey() + "=" + column.getValue() + " ")
                    .collect(Collectors.joining());
            if (all.put(table + " " + id, words) != null) {
                throw new IllegalStateException(table + " has the key " + id + " twice on the shards");
            }
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
