package io.tributary.node.command;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.config.HostPort;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.ClusterSnapshot;
import io.tributary.node.cluster.Voters;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.text.TextTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.DecimalFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code tributary cluster}: shows a cluster, and repairs its membership. */
@Command(
        name = "cluster",
        description = "Shows the nodes of a cluster, and repairs it after the loss of a node or of data.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ClusterCommand.Status.class, ForgetCommand.class, RenewCommand.class, RepairEpochCommand.class})
final class ClusterCommand {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** The columns of the status: the name in JSON, and the title in the table. */
    private static final Map<String, String> COLUMNS = columns();

    private static final Pattern FACT = Pattern.compile("  (\\S+) +(.*)");

    private static Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        for (String same : List.of("node", "roles", "does", "epoch", "written", "acknowledged")) {
            columns.put(same, same);
        }
        columns.put("behind.bytes", "behind");
        columns.put("lag.seconds", "lag s");
        columns.put("backup.pending", "to back up");
        columns.put("admin", "admin");
        columns.put("state", "state");
        return Collections.unmodifiableMap(columns);
    }

    /** {@code tributary cluster status}: members and leader come from ZooKeeper, positions and lag from the nodes' admin endpoints. */
    @Command(
            name = "status",
            description = "Shows members, roles, leader, epochs, positions and lag.",
            mixinStandardHelpOptions = true)
    static final class Status implements Callable<Integer> {
        private HttpClient http; // created when the command runs: every start creates all commands

        @Mixin
        private ConfigFile config;

        @Mixin
        private OutputOptions output;

        @Override
        public Integer call() throws InterruptedException {
            http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
            ClusterSnapshot snapshot;
            try (ZooKeeperCoordinator coordinator = ClusterAccess.open(config)) {
                snapshot = coordinator.snapshot();
            }
            List<Map<String, Object>> nodes = new ArrayList<>();
            for (ClusterMember member : snapshot.members()) {
                nodes.add(line(member, snapshot));
            }
            output.print(page(snapshot, nodes), () -> text(snapshot, nodes));
            return snapshot.leader().isPresent() ? 0 : 1;
        }

        private Map<String, Object> line(ClusterMember member, ClusterSnapshot snapshot) throws InterruptedException {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("node", member.id());
            line.put(
                    "roles",
                    member.roles().stream()
                            .map(role -> role.name().toLowerCase(Locale.ROOT))
                            .sorted()
                            .collect(Collectors.joining(",")));
            line.put("does", does(member, snapshot));
            Optional<Map<String, String>> facts = member.admin().flatMap(this::facts);
            line.put(
                    "state",
                    facts.map(known -> known.getOrDefault("state", "?")).orElse("does not answer"));
            line.put("epoch", fact(facts, "epoch"));
            line.put(
                    "written",
                    fact(facts, facts.isPresent() && facts.get().containsKey("copied") ? "copied" : "written"));
            line.put("acknowledged", fact(facts, "binlog"));
            line.put("behind.bytes", fact(facts, "behind.bytes"));
            String metrics = member.admin().flatMap(at -> page(at, "/metrics")).orElse("");
            line.put("lag.seconds", largest(metrics, "tributary_shard_lag_seconds"));
            line.put("backup.pending", largest(metrics, "tributary_backup_pending"));
            line.put("admin", member.admin().map(HostPort::toString).orElse("-"));
            return line;
        }

        private static String does(ClusterMember member, ClusterSnapshot snapshot) {
            List<String> does = new ArrayList<>();
            if (snapshot.leader().map(Leader::node).filter(member.id()::equals).isPresent()) {
                does.add("leads");
            }
            if (snapshot.candidates().contains(member.id())) {
                does.add("candidate");
            }
            List<String> claims = snapshot.claims().stream()
                    .filter(claim -> claim.node().equals(member.id()))
                    .map(Claim::what)
                    .sorted()
                    .toList();
            claims.stream().filter(what -> !what.startsWith(Claim.RELAY)).forEach(does::add);
            List<String> relayed = claims.stream()
                    .filter(what -> what.startsWith(Claim.RELAY))
                    .map(what -> what.substring(Claim.RELAY.length()))
                    .toList();
            if (!relayed.isEmpty()) {
                does.add("relays " + String.join(", ", relayed));
            }
            return does.isEmpty() ? "-" : String.join(", ", does);
        }

        private static String fact(Optional<Map<String, String>> facts, String name) {
            return facts.map(known -> known.getOrDefault(name, "-")).orElse("-");
        }

        private Optional<Map<String, String>> facts(HostPort admin) {
            return page(admin, "/status?as=text").map(text -> {
                Map<String, String> facts = new LinkedHashMap<>();
                text.lines()
                        .map(FACT::matcher)
                        .filter(Matcher::matches)
                        .forEach(matcher -> facts.putIfAbsent(matcher.group(1), matcher.group(2)));
                return facts;
            });
        }

        private Optional<String> page(HostPort admin, String page) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + admin + page))
                    .timeout(TIMEOUT)
                    .build();
            try {
                return Optional.of(
                        http.send(request, HttpResponse.BodyHandlers.ofString()).body());
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        /** The largest of a metric's values; a dash where the node has none. */
        private static String largest(String metrics, String name) {
            OptionalDouble largest = metrics.lines()
                    .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .max();
            return largest.isEmpty() ? "-" : new DecimalFormat("0.#").format(largest.getAsDouble());
        }

        private static String text(ClusterSnapshot snapshot, List<Map<String, Object>> nodes) {
            TextTable table = new TextTable(COLUMNS.values().toArray(String[]::new));
            for (Map<String, Object> node : nodes) {
                table.add(COLUMNS.keySet().stream()
                        .map(name -> node.get(name).toString())
                        .toArray(String[]::new));
            }
            String leader = snapshot.leader()
                    .map(known -> known.node() + " leads under epoch " + known.epoch())
                    .orElse("no leader; the newest epoch is " + snapshot.epoch());
            return leader + "\n"
                    + snapshot.voters().map(known -> election(known, snapshot)).orElse("") + table;
        }

        /** The line about the voters, and those of them that are missing. */
        private static String election(Voters voters, ClusterSnapshot snapshot) {
            List<String> there =
                    snapshot.members().stream().map(ClusterMember::id).toList();
            List<String> names = voters.byNode().keySet().stream().sorted().toList();
            List<String> missing =
                    names.stream().filter(name -> !there.contains(name)).toList();
            return "an election needs " + voters.election() + " candidates of " + String.join(", ", names)
                    + (snapshot.leader().isEmpty() ? "; candidates now: " + snapshot.candidates() : "")
                    + (missing.isEmpty() ? "" : "; missing: " + String.join(", ", missing)) + "\n";
        }

        private static Map<String, Object> page(ClusterSnapshot snapshot, List<Map<String, Object>> nodes) {
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("epoch", snapshot.epoch());
            page.put("leader", snapshot.leader().map(Leader::node).orElse(null));
            page.put("candidates", snapshot.candidates());
            page.put(
                    "voters",
                    snapshot.voters()
                            .map(known ->
                                    known.byNode().keySet().stream().sorted().toList())
                            .orElse(List.of()));
            page.put("voters.needed", snapshot.voters().map(Voters::election).orElse(null));
            page.put("nodes", nodes);
            return page;
        }
    }
}
