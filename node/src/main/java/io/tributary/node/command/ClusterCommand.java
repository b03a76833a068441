package io.tributary.node.command;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Member;
import io.tributary.common.config.HostPort;
import io.tributary.node.admin.JsonText;
import io.tributary.node.admin.TextTable;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.ClusterPicture;
import io.tributary.node.cluster.Electors;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import java.io.IOException;
import java.io.PrintWriter;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What concerns a cluster as a whole. */
@Command(
        name = "cluster",
        description = "Shows the nodes of a cluster, and goes on without those that are lost.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ClusterCommand.Status.class, ForgetCommand.class, RenewCommand.class, RepairEpochCommand.class})
final class ClusterCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Of the status: names in JSON, and titles of the table's columns. */
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

    /** Who is there, who leads, how far each is: the first from ZooKeeper, the last from the nodes' admin endpoints. */
    @Command(
            name = "status",
            description = "Shows members, roles, leader, epochs, positions and lag.",
            mixinStandardHelpOptions = true)
    static final class Status implements Callable<Integer> {
        private HttpClient http; // of a command that is called: every start makes all commands

        @Spec
        private CommandSpec spec;

        @Mixin
        private ConfigFile config;

        @Option(names = "--json", description = "As JSON.")
        private boolean asJson;

        @Override
        public Integer call() throws InterruptedException {
            http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
            ClusterPicture picture;
            try (ZooKeeperCoordinator coordinator = ClusterAccess.open(config)) {
                picture = coordinator.picture();
            }
            List<Map<String, Object>> nodes = new ArrayList<>();
            for (Member member : picture.members()) {
                nodes.add(line(member, picture));
            }
            PrintWriter out = spec.commandLine().getOut();
            out.print(asJson ? json(picture, nodes) : text(picture, nodes));
            out.flush();
            return picture.leader().isPresent() ? 0 : 1;
        }

        private Map<String, Object> line(Member member, ClusterPicture picture) throws InterruptedException {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("node", member.id());
            line.put(
                    "roles",
                    member.roles().stream()
                            .map(role -> role.name().toLowerCase(Locale.ROOT))
                            .sorted()
                            .collect(Collectors.joining(",")));
            line.put("does", does(member, picture));
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

        private static String does(Member member, ClusterPicture picture) {
            List<String> does = new ArrayList<>();
            if (picture.leader().map(Leader::node).filter(member.id()::equals).isPresent()) {
                does.add("leads");
            }
            if (picture.candidates().contains(member.id())) {
                does.add("stands for election");
            }
            List<String> claims = picture.claims().stream()
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
                    .timeout(PATIENCE)
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

        private static String text(ClusterPicture picture, List<Map<String, Object>> nodes) {
            TextTable table = new TextTable(COLUMNS.values().toArray(String[]::new));
            for (Map<String, Object> node : nodes) {
                table.add(COLUMNS.keySet().stream()
                        .map(name -> node.get(name).toString())
                        .toArray(String[]::new));
            }
            String leader = picture.leader()
                    .map(known -> known.node() + " leads under epoch " + known.epoch())
                    .orElse("nobody leads; the newest epoch is " + picture.epoch());
            return leader + "\n"
                    + picture.electors().map(known -> election(known, picture)).orElse("") + table;
        }

        /** Who elects, and who of them is missing. */
        private static String election(Electors electors, ClusterPicture picture) {
            List<String> there = picture.members().stream().map(Member::id).toList();
            List<String> names = electors.byNode().keySet().stream().sorted().toList();
            List<String> missing =
                    names.stream().filter(name -> !there.contains(name)).toList();
            return "in an election " + electors.election() + " of " + String.join(", ", names) + " have to stand"
                    + (picture.leader().isEmpty() ? "; there stand " + picture.candidates() : "")
                    + (missing.isEmpty() ? "" : "; not there: " + String.join(", ", missing)) + "\n";
        }

        private static String json(ClusterPicture picture, List<Map<String, Object>> nodes) {
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("epoch", picture.epoch());
            page.put("leader", picture.leader().map(Leader::node).orElse(null));
            page.put("candidates", picture.candidates());
            page.put(
                    "electors",
                    picture.electors()
                            .map(known ->
                                    known.byNode().keySet().stream().sorted().toList())
                            .orElse(List.of()));
            page.put(
                    "electors.needed",
                    picture.electors().map(Electors::election).orElse(null));
            page.put("nodes", nodes);
            return JsonText.of(page) + "\n";
        }
    }
}
