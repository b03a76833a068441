package io.tributary.extractor;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
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
 * Looks at all shards before a start and finds everything that is wrong with them at once. It changes nothing on them. It blocks: not for
 * a stage, and not on an event loop.
 */
public final class ShardCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ShardCheck.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    /** Names of MySQL 5.7, of later versions, and of MariaDB, which keeps the order with any number of workers. */
    private static final String REPLICATION = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('slave_parallel_workers',"
            + " 'replica_parallel_workers', 'slave_preserve_commit_order', 'replica_preserve_commit_order',"
            + " 'log_slave_updates', 'log_replica_updates')";

    private final MysqlClient client;
    private final Optional<ShardTables.Kept> tables;

    /** Looks at settings and rights only. */
    public ShardCheck(MysqlClient client) {
        this(client, Optional.empty());
    }

    /** Looks at the tables too, of which this says what is left out. */
    public ShardCheck(MysqlClient client, ExtractorConfig config) {
        this(
                client,
                Optional.of(new ShardTables.Kept(
                        new SchemaFilter(config.filterSchemas()), new HiddenTables(config.ddlHidden())::original)));
    }

    ShardCheck(MysqlClient client, Optional<ShardTables.Kept> tables) {
        this.client = client;
        this.tables = tables;
    }

    /**
     * What was found.
     *
     * @param problems in the order of the shards
     * @param facts of the shards that answered, by name
     * @param shards with the server of each that is in charge
     */
    public record Report(List<ShardProblem> problems, Map<String, ShardFacts> facts, Map<String, ShardConfig> shards) {
        public Report {
            problems = List.copyOf(problems);
        }

        /** Whether a start is possible: there are warnings at most. */
        public boolean isFit() {
            return problems.stream().allMatch(ShardProblem::isWarning);
        }

        /** The same but for problems of some kinds. */
        public Report without(Predicate<ErrorCode> codes) {
            return new Report(
                    problems.stream()
                            .filter(problem -> !codes.test(problem.code()))
                            .toList(),
                    facts,
                    shards);
        }

        /**
         * Refuses a start.
         *
         * @throws TributaryException with the code of the first problem and all problems in its message, one a line
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
     * Looks at all shards.
     *
     * @param shards by name
     * @param cuts where each continues, by name; one that is absent has no cut
     */
    public Report check(Map<String, ShardConfig> shards, Map<String, ShardCut> cuts) {
        Map<String, CompletableFuture<MysqlConnection>> connecting = new LinkedHashMap<>();
        shards.forEach((name, config) -> connecting.put(name, client.connect(config.endpoint())));
        List<ShardProblem> problems = new ArrayList<>();
        Map<String, ShardFacts> facts = new LinkedHashMap<>();
        Map<String, ShardConfig> reached = new LinkedHashMap<>();
        shards.forEach((name, config) -> {
            Look look = look(name, config, connecting.get(name), cuts.get(name));
            if (!look.isFit() && config.isOneOfSeveral()) {
                look = inCharge(name, look, cuts.get(name));
            }
            problems.addAll(look.problems());
            look.facts().ifPresent(found -> facts.put(name, found));
            reached.put(name, look.config());
        });
        checkSameServer(facts, problems);
        checkServerIds(facts, problems);
        new ShardSettings(facts, problems).check();
        return new Report(problems, facts, reached);
    }

    /** What one server of a shard is like. */
    private record Look(ShardConfig config, List<ShardProblem> problems, Optional<ShardFacts> facts) {
        boolean isFit() {
            return problems.stream().allMatch(ShardProblem::isWarning);
        }

        HostPort address() {
            return new HostPort(config.host(), config.port());
        }

        /** What stands against this one of several. That it takes no writes, or does not answer, may change. */
        Stream<ShardProblem> against() {
            return problems.stream().filter(problem -> !problem.isWarning()).map(problem -> problem.at(address()));
        }
    }

    private Look look(String name, ShardConfig config, CompletableFuture<MysqlConnection> connecting, ShardCut cut) {
        List<ShardProblem> problems = new ArrayList<>();
        Optional<ShardFacts> facts = Optional.empty();
        try (MysqlConnection connection = connecting.join()) {
            ShardFacts shard = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
            ShardRequirements requirements = new ShardRequirements(name, shard, problems);
            requirements.check();
            ShardRights rights = new ShardRights(name, connection, ANSWER_WITHIN, problems);
            rights.checkReading();
            if (config.rounds().isEmpty()) {
                requirements.checkWritable();
                rights.checkRounds();
            } else {
                checkReplication(name, connection, problems);
                lookAtRounds(name, config.forRounds(), shard, problems);
            }
            requirements.checkPosition(config, cut);
            if (cut != null && cut.serverUuid().equals(shard.uuid())) {
                checkPlace(requirements, name, cut, connection);
            }
            facts = Optional.of(shard);
            tables.ifPresent(kept -> new ShardTables(name, kept, problems).check(connection, ANSWER_WITHIN));
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
        ReadPlace place = ReadPlace.of(cut);
        try {
            place.require(name, connection.await(place.contradiction(connection), ANSWER_WITHIN));
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.SHARD_HISTORY_LOST) {
                throw e;
            }
            requirements.addLost(e);
        }
    }

    /** Of the server that takes the rounds alone, they have to come to the one that is read. */
    private void lookAtRounds(String name, ShardConfig there, ShardFacts read, List<ShardProblem> problems) {
        try (MysqlConnection connection = client.connect(there.endpoint()).join()) {
            ShardFacts taker = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
            new ShardRequirements(name, taker, problems).checkWritable();
            new ShardRights(name, connection, ANSWER_WITHIN, problems).checkRounds();
            if (!taker.executed().containsAll(read.executed())) {
                problems.add(new ShardProblem(
                        ErrorCode.SHARD_UNFIT,
                        true,
                        name,
                        "rounds",
                        "a server that has all transactions of the one that is read, and whose transactions come to that one",
                        there.host() + ":" + there.port() + ", which lacks some of them",
                        "see that shard." + name + ".rounds names the primary"));
            }
        } catch (CompletionException e) {
            problems.add(unreachable(name, ShardErrors.ofLogin(name, e), there));
        }
    }

    /** A round certifies what stands in front of it in the primary's log, so the log that is read has to have the same order. */
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
                            "ON, since rounds come by replication",
                            "OFF with several workers",
                            "STOP REPLICA SQL_THREAD; SET PERSIST replica_preserve_commit_order = ON; START REPLICA SQL_THREAD"));
        }
        if (!settings.getOrDefault("log_replica_updates", "ON").matches("ON|1")) {
            problems.add(new ShardProblem(
                    ErrorCode.SHARD_UNFIT,
                    false,
                    name,
                    "log_replica_updates",
                    "ON, since rounds come by replication",
                    "OFF",
                    "start the server with --log-replica-updates"));
        }
    }

    /** The first of several servers that is fit; where none is, what stands against each, first what may pass. */
    private Look inCharge(String name, Look first, ShardCut cut) {
        List<ShardProblem> against = new ArrayList<>(first.against().toList());
        for (HostPort address : first.config().standby()) {
            ShardConfig there = first.config().at(address);
            Look look = look(name, there, client.connect(there.endpoint()), cut);
            if (look.isFit()) {
                against.forEach(problem -> LOG.warn("{}", problem));
                LOG.warn("shard {}: reads it at {}", name, address);
                return look;
            }
            look.against().forEach(against::add);
        }
        against.sort(Comparator.comparing(problem -> problem.code().severity() != Severity.RETRY));
        return new Look(first.config(), against, Optional.empty());
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
                        ? "ALTER USER '" + config.user() + "'@'%' IDENTIFIED BY '...', or mend shard." + name
                                + ".user and shard." + name + ".password"
                        : failure.code().remedy());
    }

    /** The GTIDs of a MariaDB server name it by nothing else. */
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
                        "an id of its own, which tells its GTIDs from another shard's",
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
                problems.add(
                        new ShardProblem(
                                ErrorCode.SHARD_SAME_SERVER,
                                false,
                                name,
                                "server_uuid",
                                "a server of its own",
                                "server " + shard.uuid() + ", which is also shard " + first,
                                "mend shard." + name + ".host and shard." + name
                                        + ".port; of servers that were copied as files, delete auto.cnf of one and restart it"));
            }
        });
    }
}
