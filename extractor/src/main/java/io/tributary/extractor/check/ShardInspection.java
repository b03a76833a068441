package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.stream.Extractor;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/**
 * The additional checks of shards for an operator, which a start does not make: server ids, transactions without GTIDs, prepared branches, the
 * marker table. It writes nothing to the shards. It blocks, so it must not run in a stage or on an event loop.
 */
public final class ShardInspection {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final Set<String> INTEGERS = Set.of("tinyint", "smallint", "mediumint", "int", "bigint");

    private final MysqlClient client;
    private final Node node;

    /**
     * The node that will start.
     *
     * @param serverId its server.id
     * @param readers the UUIDs from which its UUIDs for the shards are made: a shard lists a node for some time after it was stopped
     * @param marker the marker table of `tso` order; empty in `xa` order
     */
    public record Node(long serverId, Set<UUID> readers, Optional<TableName> marker) {}

    public ShardInspection(MysqlClient client, Node node) {
        this.client = client;
        this.node = node;
    }

    /**
     * Checks all shards that have answered before.
     *
     * @param cuts the cut from which each continues, by name; a shard without a cut begins as configured
     */
    public List<ShardProblem> inspect(ShardCheck.Report report, Map<String, ShardCut> cuts) {
        List<ShardProblem> problems = new ArrayList<>();
        report.facts().forEach((name, facts) -> {
            ShardConfig config = report.shards().get(name);
            try (MysqlConnection connection = client.connect(config.endpoint()).join()) {
                if (facts.variable("server_id").equals(Long.toString(node.serverId))) {
                    problems.add(sameId(name, "the shard's own server_id"));
                }
                checkReplicas(name, connection, problems);
                Optional<ShardCut> cut = Optional.ofNullable(cuts.get(name));
                if (!facts.isMariadb()) {
                    ShardCut from = cut.orElseGet(() -> facts.firstCut(name, config));
                    new AnonymousTransactions(name, config.skipAnonymous(), connection, ANSWER_WITHIN)
                            .problem(from)
                            .ifPresent(problems::add);
                }
                node.marker
                        .flatMap(table -> marker(name, table, facts, connection))
                        .ifPresent(problems::add);
                if (cut.isEmpty()) {
                    new StartPositionFinder(name, config, client).firstCut(facts);
                }
            } catch (CompletionException e) {
                problems.add(failed(name, ShardErrors.ofLogin(name, e)));
            } catch (MysqlServerError e) {
                problems.add(failed(name, ShardErrors.ofStatement(name, e, "statements of the check")));
            } catch (TributaryException e) {
                problems.add(failed(name, e));
            }
        });
        return List.copyOf(problems);
    }

    private static ShardProblem failed(String shard, TributaryException e) {
        boolean isPrepared = e.code() == ErrorCode.BRANCHES_PREPARED;
        return new ShardProblem(
                e.code(),
                false,
                shard,
                isPrepared ? "XA RECOVER" : "statements",
                isPrepared ? "no prepared branch at shard." + shard + ".start = latest" : "answers",
                e.getMessage(),
                isPrepared
                        ? "XA COMMIT or XA ROLLBACK them; a start waits until they are decided"
                        : e.code().remedy());
    }

    /** Checks the shard's replicas; this node itself may be among them. */
    private void checkReplicas(String shard, MysqlConnection connection, List<ShardProblem> problems) {
        QueryResult replicas = replicas(connection).orElse(null);
        if (replicas == null) {
            return;
        }
        for (int i = 0; i < replicas.rows().size(); i++) {
            if (!replicas.text(i, "Server_id").equals(Long.toString(node.serverId))) {
                continue;
            }
            String host = replicas.text(i, "Host");
            String port = replicas.text(i, "Port");
            String uuid = replicas.columns().size() > 4 ? replicas.rows().get(i).text(4) : "";
            // MariaDB shows no UUID; a node has neither host nor port there
            boolean isOwn = connection.isMariadb()
                    ? host.isEmpty() && port.equals("0")
                    : node.readers.stream()
                            .anyMatch(reader ->
                                    Extractor.reader(reader, shard).toString().equals(uuid));
            if (!isOwn) {
                problems.add(sameId(
                        shard,
                        "that of a replica of it (" + host + ":" + port + (uuid.isEmpty() ? "" : ", " + uuid) + ")"));
            }
        }
    }

    /** Empty if the account may not see them: MariaDB requires REPLICATION MASTER ADMIN, which nothing else needs. */
    private static Optional<QueryResult> replicas(MysqlConnection connection) {
        try {
            return Optional.of(shownReplicas(connection));
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static QueryResult shownReplicas(MysqlConnection connection) {
        try {
            return connection.query("SHOW REPLICAS", ANSWER_WITHIN);
        } catch (MysqlServerError e) {
            if (!e.is(MysqlError.ER_PARSE_ERROR)) {
                throw e;
            }
            return connection.query("SHOW SLAVE HOSTS", ANSWER_WITHIN);
        }
    }

    private ShardProblem sameId(String shard, String whose) {
        return new ShardProblem(
                ErrorCode.SHARD_UNFIT,
                false,
                shard,
                "server_id",
                "that no other server has server.id = " + node.serverId,
                whose,
                "set server.id to an id that no shard, replica or other Tributary has");
    }

    /** Checks the marker table. PolarDB-X does not need it: it writes timestamps in its own events. */
    private static Optional<ShardProblem> marker(
            String shard, TableName table, ShardFacts facts, MysqlConnection connection) {
        QueryResult columns = connection.query(
                "SELECT DATA_TYPE, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '"
                        + table.schema().replace("'", "''") + "' AND TABLE_NAME = '"
                        + table.table().replace("'", "''") + "' ORDER BY ORDINAL_POSITION",
                ANSWER_WITHIN);
        List<QueryResult.Row> rows = columns.rows();
        boolean fits = !rows.isEmpty()
                && rows.get(rows.size() - 1).text(0).equals("bigint")
                && rows.stream()
                        .allMatch(row ->
                                INTEGERS.contains(row.text(0)) && row.text(1).equals("NO"));
        if (fits || rows.isEmpty() && facts.version().contains("X-Cluster")) {
            return Optional.empty();
        }
        return Optional.of(new ShardProblem(
                ErrorCode.SHARD_UNFIT,
                false,
                shard,
                "order.tso.table",
                "the marker table " + table + " with integer columns that are NOT NULL, the last one a BIGINT",
                rows.isEmpty() ? "no such table" : "columns of other types",
                "CREATE TABLE " + table + " (tso BIGINT UNSIGNED NOT NULL PRIMARY KEY)"));
    }
}
