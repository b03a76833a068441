package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Looks at all shards before a start and finds everything that is wrong with them at once. It changes nothing on them. It blocks: not for
 * a stage, and not on an event loop.
 */
public final class ShardCheck {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final MysqlClient client;

    public ShardCheck(MysqlClient client) {
        this.client = client;
    }

    /**
     * What was found.
     *
     * @param problems in the order of the shards
     * @param facts of the shards that answered, by name
     */
    public record Report(List<ShardProblem> problems, Map<String, ShardFacts> facts) {
        public Report {
            problems = List.copyOf(problems);
        }

        /** Whether a start may go on: there are warnings at most. */
        public boolean isFit() {
            return problems.stream().allMatch(ShardProblem::isWarning);
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
     * @param cuts where each goes on, by name; one that is absent begins anew
     */
    public Report check(Map<String, ShardConfig> shards, Map<String, ShardCut> cuts) {
        Map<String, CompletableFuture<MysqlConnection>> connecting = new LinkedHashMap<>();
        shards.forEach((name, config) -> connecting.put(name, client.connect(config.endpoint())));
        List<ShardProblem> problems = new ArrayList<>();
        Map<String, ShardFacts> facts = new LinkedHashMap<>();
        connecting.forEach((name, future) -> {
            try (MysqlConnection connection = future.join()) {
                ShardFacts shard = connection.await(ShardFacts.ask(connection), ANSWER_WITHIN);
                ShardRequirements requirements = new ShardRequirements(name, shard, problems);
                requirements.check();
                new ShardRights(name, connection, ANSWER_WITHIN, problems).check();
                requirements.checkPosition(shards.get(name), cuts.get(name));
                facts.put(name, shard);
            } catch (CompletionException e) {
                problems.add(unreachable(name, ShardErrors.ofLogin(name, e), shards.get(name)));
            } catch (MysqlServerError e) {
                problems.add(new ShardProblem(
                        ErrorCode.SQL_FAILED, false, name, "statements", "answers", e.getMessage(), "see the message"));
            } catch (TributaryException e) {
                problems.add(unreachable(name, e, shards.get(name)));
            }
        });
        checkSameServer(facts, problems);
        checkServerIds(facts, problems);
        return new Report(problems, facts);
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
