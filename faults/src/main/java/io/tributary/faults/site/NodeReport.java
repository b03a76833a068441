package io.tributary.faults.site;

import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The state of nodes for failure reports: a few lines for the message, and copies of their logs. */
public final class NodeReport {
    private static final List<String> FACTS =
            List.of("state.in.cluster", "epoch", "serves", "streams", "binlog", "frontier.s1", "frontier.s2");
    private static final int MOST_PROBLEMS = 2;
    private static final int MOST_CHARACTERS = 300;

    private NodeReport() {}

    /** A line for each node, followed by its last warnings and errors. */
    public static String of(List<NodeProcess> nodes) {
        return nodes.stream()
                .flatMap(node -> Stream.concat(Stream.of(state(node)), problems(node)))
                .collect(Collectors.joining("\n"));
    }

    /** Copies the logs of all nodes into a folder. */
    public static void copyLogs(List<NodeProcess> nodes, Path to) throws IOException {
        Files.createDirectories(to);
        for (NodeProcess node : nodes) {
            if (Files.exists(node.log())) {
                Files.copy(node.log(), to.resolve(node.name() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static String state(NodeProcess node) {
        StringJoiner words = new StringJoiner(", ", node.name() + ": ", "");
        if (!node.process().isAlive()) {
            return words.add("ended with status " + node.process().exitValue()).toString();
        }
        words.add(node.isHealthy() ? "healthy" : "not healthy");
        Map<String, String> facts = node.facts();
        FACTS.stream()
                .map(name -> facts.containsKey(name) ? name + " " + facts.get(name) : null)
                .filter(Objects::nonNull)
                .forEach(words::add);
        return words.toString();
    }

    private static Stream<String> problems(NodeProcess node) {
        List<String> all = node.logText()
                .lines()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .toList();
        return all.subList(Math.max(0, all.size() - MOST_PROBLEMS), all.size()).stream()
                .map(line -> "    " + line.substring(0, Math.min(MOST_CHARACTERS, line.length())));
    }
}
