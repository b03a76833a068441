package io.tributary.extractor.check;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ReadPosition;
import io.tributary.extractor.SchemaFilter;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check of all shards before a start: it reports all problems at once. It changes nothing on the shards. It blocks, so it must not run in
 * a stage or on an event loop.
 */
public final class ShardCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ShardCheck.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    /** The names in MySQL 5.7, in later versions, and in MariaDB, which keeps the order with any number of workers. */
    private static final String REPLICATION = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('slave_parallel_workers',"
            + " 'replica_parallel_workers', 'slave_preserve_commit_order', 'replica_preserve_commit_order',"
            + " 'log_slave_updates', 'log_replica_updates')";

    private final MysqlClient client;
    private final Optional<UnreplicatedTables.Kept> tables;

    /** A check of settings and rights only. */
    public ShardCheck(MysqlClient client) {
        this(client, Optional.empty());
    }

    /** A check that includes the tables; the configuration defines which of them are left out. */
    public ShardCheck(MysqlClient client, ExtractorConfig config) {
        this(
                client,
                Optional.of(new UnreplicatedTables.Kept(
                        new SchemaFilter(config.filterSchemas()), new HiddenTables(config.ddlHidden())::original)));
    }

    ShardCheck(MysqlClient client, Optional<UnreplicatedTables.Kept> tables) {
        this.client = client;
        this.tables = tables;
    }

    /**
     * The result of a check.
     *
     * @param problems in the order of the shards
     * @param facts of the shards that answered, by name
     * @param shards by name, each with the server to read
     */
    public record Report(List<ShardProblem> problems, Map<String, ShardFacts> facts, Map<String, ShardConfig> shards) {
        public Report {
            problems = List.copyOf(problems);
        }

        /** Whether a start is possible: there are no problems except warnings. */
        public boolean isFit() {
            return problems.stream().allMatch(ShardProblem::isWarning);
        }

        /** A copy without the problems that have these codes. */
        public Report without(Predicate<ErrorCode> codes) {
            return new Report(
                    problems.stream()
                            .filter(problem -> !codes.test(problem.code()))
                            .toList(),
                    facts,
                    shards);
        }

        /**
         * Refuses a start if there are problems.
         *
         * @throws TributaryException with the code of the first problem and all problems in its message, one per line
         */
        public void requireFit() {
            List<ShardProblem> fatal =
                    problems.stream().filter(problem -> !problem.isWarning()).toList();
            if (!fatal.isEmpty()) {
                StringBuilder message = new StringBuilder();
                fatal.forEach(
                        problem -> message.append(message.isEmpty() ? "" : "\n").append(problem));
                throw new TributaryException(fatal.get(0).code(), message.toString());
            }
        }
    }

    /**
     * Checks all shards.
     *
     * @param shards by name
     * @param cuts the cut from which each continues, by name; absent for a shard without a cut
     */
    public Report check(Map<String, ShardConfig> shards, Map<String, ShardCut> cuts) {
        Map<String, CompletableFuture<MysqlConnection>> connecting = new LinkedHashMap<>();
        shards.forEach((name, config) -> connecting.put(name, client.connect(config.endpoint())));
        List<ShardProblem> problems = new ArrayList<>();
        Map<String, ShardFacts> facts = new LinkedHashMap<>();
        Map<String, ShardConfig> reached = new LinkedHashMap<>();
        shards.forEach((name, config) -> {
            Look server = checkServer(name, config, connecting.get(name), cuts.get(name));
            if (!server.isFit() && config.isOneOfSeveral()) {
                server = firstFit(name, server, cuts.get(name));
            }
            problems.addAll(server.problems());
            server.facts().ifPresent(found -> facts.put(name, found));
            reached.put(name, server.config());
        });
        checkSameServer(facts, problems);
        checkServerIds(facts, problems);
        new ShardSettings(facts, problems).check();
        return new Report(problems, facts, reached);
    }

    /** The result of the check of one server of a shard. */
    private record Look(ShardConfig config, List<ShardProblem> problems, Optional<ShardFacts> facts) {
        boolean isFit() {
            return problems.stream().allMatch(ShardProblem::isWarning);
        }

        HostPort address() {
            return new HostPort(config.host(), config.port());
        }

        /** The problems because of which this server of several is not used. Some may pass: it is read-only or does not answer. */
        Stream<ShardProblem> refusals() {
            return problems.stream().filter(problem -> !problem.isWarning()).map(problem -> problem.at(address()));
        }
    }

    private Look checkServer(
            String name, ShardConfig config, CompletableFuture<MysqlConnection> connecting, ShardCut cut) {
        List<ShardProblem> problems = new ArrayList<>();
        Optional<ShardFacts> facts = Optional.empty();
        try (MysqlConnection connection = connecting.join()) {
            ShardFacts shard = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
            ShardRequirements requirements = new ShardRequirements(name, shard, problems);
            requirements.check();
            ShardRights rights = new ShardRights(name, connection, ANSWER_WITHIN, problems);
            rights.checkReading();
            if (config.servers().rounds().isEmpty()) {
                requirements.checkWritable();
                rights.checkRounds();
            } else {
                checkReplication(name, connection, problems);
                checkRoundsServer(name, config.forRounds(), shard, problems);
            }
            requirements.checkPosition(config, cut);
            if (cut != null && cut.serverUuid().equals(shard.uuid())) {
                checkPlace(requirements, name, cut, connection);
            }
            facts = Optional.of(shard);
            tables.ifPresent(kept -> new UnreplicatedTables(name, kept, problems).check(connection, ANSWER_WITHIN));
        } catch (CompletionException e) {
            problems.add(unreachable(name, ShardErrors.ofLogin(name, e), config));
        } catch (MysqlServerError e) {
            problems.add(new ShardProblem(
                    ErrorCode.SQL_FAILED, false, name, "statements", "answers", e.getMessage(), "see the message"));
        } catch (TributaryException e) {
            problems.add(unreachable(name, e, config));
        }
        return new Look(config, problems, facts);
    }

    private static void checkPlace(
            ShardRequirements requirements, String name, ShardCut cut, MysqlConnection connection) {
        ReadPosition place = ReadPosition.of(cut);
        try {
            place.require(name, connection.await(place.contradiction(connection), ANSWER_WITHIN));
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.SHARD_HISTORY_LOST) {
                throw e;
            }
            requirements.addLost(e);
        }
    }

    /** Checks the separate server to which rounds are written: the rounds must reach the server that is read. */
    private void checkRoundsServer(String name, ShardConfig there, ShardFacts read, List<ShardProblem> problems) {
        try (MysqlConnection connection = client.connect(there.endpoint()).join()) {
            ShardFacts roundsServer = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
            new ShardRequirements(name, roundsServer, problems).checkWritable();
            new ShardRights(name, connection, ANSWER_WITHIN, problems).checkRounds();
            if (!roundsServer.executed().containsAll(read.executed())) {
                problems.add(new ShardProblem(
                        ErrorCode.SHARD_UNFIT,
                        true,
                        name,
                        "rounds",
                        "a server that has all transactions of the one that is read, and whose transactions reach"
                                + " that one",
                        there.host() + ":" + there.port() + ", which lacks some of them",
                        "check that shard." + name + ".rounds is the primary"));
            }
        } catch (CompletionException e) {
            problems.add(unreachable(name, ShardErrors.ofLogin(name, e), there));
        }
    }

    /** A round certifies everything before it in the primary's log, so the log that is read must have the same order. */
    private static void checkReplication(String name, MysqlConnection connection, List<ShardProblem> problems) {
        Map<String, String> settings = new LinkedHashMap<>();
        connection
                .query(REPLICATION, ANSWER_WITHIN)
                .rows()
                .forEach(row -> settings.put(
                        row.text(0).toLowerCase(Locale.ROOT).replaceFirst("slave", "replica"), row.text(1)));
        boolean isParallel = !Set.of("0", "1").contains(settings.getOrDefault("replica_parallel_workers", "0"));
        if (isParallel
                && !settings.getOrDefault("replica_preserve_commit_order", "").matches("ON|1")) {
            problems.add(
                    new ShardProblem(
                            ErrorCode.SHARD_UNFIT,
                            false,
                            name,
                            "replica_preserve_commit_order",
                            "ON, because rounds arrive by replication",
                            "OFF with several workers",
                            "STOP REPLICA SQL_THREAD; SET PERSIST replica_preserve_commit_order = ON; START REPLICA SQL_THREAD"));
        }
        if (!settings.getOrDefault("log_replica_updates", "ON").matches("ON|1")) {
            problems.add(new ShardProblem(
                    ErrorCode.SHARD_UNFIT,
                    false,
                    name,
                    "log_replica_updates",
                    "ON, because rounds arrive by replication",
                    "OFF",
                    "start the server with --log-replica-updates"));
        }
    }

    /** The first of several servers without problems; if there is none, the problems of each, those that may pass first. */
    private Look firstFit(String name, Look first, ShardCut cut) {
        List<ShardProblem> refusals = new ArrayList<>(first.refusals().toList());
        for (HostPort address : first.config().servers().standby()) {
            ShardConfig there = first.config().at(address);
            Look server = checkServer(name, there, client.connect(there.endpoint()), cut);
            if (server.isFit()) {
                refusals.forEach(problem -> LOG.warn("server of shard not used: reason=\"{}\"", problem));
                LOG.warn("standby of shard used: shard={} server={}", name, address);
                return server;
            }
            server.refusals().forEach(refusals::add);
        }
        refusals.sort(Comparator.comparing(problem -> problem.code().severity() != Severity.RETRY));
        return new Look(first.config(), refusals, Optional.empty());
    }

    private static ShardProblem unreachable(String name, TributaryException failure, ShardConfig config) {
        boolean isLogin = failure.code() == ErrorCode.SHARD_LOGIN_REFUSED;
        return new ShardProblem(
                failure.code(),
                false,
                name,
                isLogin ? "login" : "connection",
                "a login as " + config.user() + " at " + config.host() + ":" + config.port(),
                failure.getMessage(),
                isLogin
                        ? "ALTER USER '" + config.user() + "'@'%' IDENTIFIED BY '...', or correct shard." + name
                                + ".user and shard." + name + ".password"
                        : failure.code().remedy());
    }

    /** The GTIDs of a MariaDB server identify it by its server_id alone. */
    private static void checkServerIds(Map<String, ShardFacts> facts, List<ShardProblem> problems) {
        Map<String, String> firstById = new LinkedHashMap<>();
        facts.forEach((name, shard) -> {
            String id = shard.variable("server_id");
            String first = shard.isMariadb() ? firstById.putIfAbsent(id, name) : null;
            if (first != null && !shard.uuid().equals(facts.get(first).uuid())) {
                problems.add(new ShardProblem(
                        ErrorCode.SHARD_UNFIT,
                        false,
                        name,
                        "server_id",
                        "an id of its own, which distinguishes its GTIDs from another shard's",
                        id + ", which shard " + first + " has too",
                        "SET GLOBAL server_id, and set it in the server's my.cnf"));
            }
        });
    }

    private static void checkSameServer(Map<String, ShardFacts> facts, List<ShardProblem> problems) {
        Map<String, String> firstByUuid = new LinkedHashMap<>();
        facts.forEach((name, shard) -> {
            String first = firstByUuid.putIfAbsent(shard.uuid(), name);
            if (first != null) {
                problems.add(new ShardProblem(
                        ErrorCode.SHARD_SAME_SERVER,
                        false,
                        name,
                        "server_uuid",
                        "a server of its own",
                        "server " + shard.uuid() + ", which is also shard " + first,
                        "correct shard." + name + ".host and shard." + name
                                + ".port; if the servers were copied as files, delete auto.cnf of one and restart"
                                + " it"));
            }
        });
    }
}
