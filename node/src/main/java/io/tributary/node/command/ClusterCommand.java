package io.tributary.node.command;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Member;
import io.tributary.common.config.HostPort;
import io.tributary.node.admin.JsonText;
import io.tributary.node.admin.TextTable;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.ClusterPicture;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
        subcommands = {ClusterCommand.Status.class, ForgetCommand.class})
final class ClusterCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Pattern FACT = Pattern.compile("  (\\S+) +(.*)");

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
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + admin + "/status?as=text"))
                    .timeout(PATIENCE)
                    .build();
            Map<String, String> facts = new LinkedHashMap<>();
            try {
                http.send(request, HttpResponse.BodyHandlers.ofString())
                        .body()
                        .lines()
                        .map(FACT::matcher)
                        .filter(Matcher::matches)
                        .forEach(matcher -> facts.putIfAbsent(matcher.group(1), matcher.group(2)));
                return Optional.of(facts);
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        private static String text(ClusterPicture picture, List<Map<String, Object>> nodes) {
            TextTable table = new TextTable(
                    "node", "roles", "does", "epoch", "written", "acknowledged", "behind", "admin", "state");
            for (Map<String, Object> node : nodes) {
                table.add(List.of(
                                "node",
                                "roles",
                                "does",
                                "epoch",
                                "written",
                                "acknowledged",
                                "behind.bytes",
                                "admin",
                                "state")
                        .stream()
                        .map(name -> node.get(name).toString())
                        .toArray(String[]::new));
            }
            String leader = picture.leader()
                    .map(known -> known.node() + " leads under epoch " + known.epoch())
                    .orElse("nobody leads; the newest epoch is " + picture.epoch());
            return leader + "\n" + table;
        }

        private static String json(ClusterPicture picture, List<Map<String, Object>> nodes) {
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("epoch", picture.epoch());
            page.put("leader", picture.leader().map(Leader::node).orElse(null));
            page.put("candidates", picture.candidates());
            page.put("nodes", nodes);
            return JsonText.of(page) + "\n";
        }
    }
}
