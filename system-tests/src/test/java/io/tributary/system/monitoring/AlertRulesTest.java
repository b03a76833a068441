package io.tributary.system.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tributary.common.metric.Metric;
import io.tributary.testkit.alert.AlertCheck;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.PrometheusServer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules and dashboards by themselves; {@link AlertsIT} uses them with real nodes. */
class AlertRulesTest {
    @Test
    void promtoolAcceptsTheRulesAndEachAlertFiresAfterItsCause(@TempDir Path folder) throws Exception {
        MysqlTools.Outcome check = PrometheusServer.promtool("check", "rules", MonitoringFiles.RULES.toString());
        assertEquals(0, check.status(), check.output());

        Files.copy(MonitoringFiles.RULES, folder.resolve("tributary.rules.yml"));
        String tests = resource("/monitoring/tributary.test.yml");
        Path file = Files.writeString(folder.resolve("tributary.test.yml"), tests);
        MysqlTools.Outcome test = PrometheusServer.promtool("test", "rules", file.toString());
        assertEquals(0, test.status(), test.output());
        MonitoringFiles.alerts()
                .keySet()
                .forEach(alert -> assertTrue(tests.contains("  - name: " + alert + "\n"), "no test of " + alert));
    }

    /** {@link AlertsIT} makes its cause in a cluster, or a test with {@link AlertCheck} makes it with the real part. */
    @Test
    void eachAlertFiresInATestThatMakesItsCause() throws Exception {
        Set<String> without = new TreeSet<>(MonitoringFiles.alerts().keySet());
        Pattern fires = Pattern.compile("(?:assertFires|awaitFired)\\(([^;]*)\\);");
        Pattern name = Pattern.compile("\"(Tributary\\w+)\"");
        try (Stream<Path> files = Files.find(
                MonitoringFiles.SOURCE,
                20,
                (file, attributes) -> file.toString().contains("/src/test/java/")
                        && file.toString().endsWith(".java"))) {
            for (Path file : files.toList()) {
                fires.matcher(MonitoringFiles.text(file))
                        .results()
                        .forEach(call ->
                                name.matcher(call.group(1)).results().forEach(alert -> without.remove(alert.group(1))));
            }
        }
        assertEquals(Set.of(), without);
    }

    private static String resource(String name) throws Exception {
        try (InputStream in = AlertRulesTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void eachAlertHasItsPartOfTheRunbook() {
        String page = MonitoringFiles.text(MonitoringFiles.SOURCE.resolve("docs/alerts.md"));
        String rules = MonitoringFiles.text(MonitoringFiles.RULES);
        MonitoringFiles.alerts().forEach((alert, expression) -> {
            assertTrue(page.contains("\n### " + alert + "\n"), alert);
            assertTrue(page.contains(": `" + expression + "`\n"), alert);
            assertTrue(rules.contains("/docs/alerts.md#" + alert.toLowerCase(Locale.ROOT) + "\n"), alert);
        });
        assertEquals(
                MonitoringFiles.alerts().size(),
                page.lines().filter(line -> line.startsWith("### ")).count());
        assertEquals(
                MonitoringFiles.alerts().size(),
                page.lines().filter(line -> line.startsWith("Do: ")).count());
    }

    @Test
    void dashboardsAreValidAndIndependentOfAnyServer() {
        Set<String> uids = new HashSet<>();
        List<Path> files = MonitoringFiles.dashboards();
        assertEquals(5, files.size());
        for (Path file : files) {
            JsonNode board = MonitoringFiles.json(file);
            assertTrue(uids.add(board.get("uid").asText()), file + ": its uid is used twice");
            assertFalse(board.has("id"), file + ": an id is that of one server");
            assertFalse(MonitoringFiles.text(file).contains("://"), file + ": an absolute URL");
            Set<String> variables = new TreeSet<>();
            board.get("templating")
                    .get("list")
                    .forEach(each -> variables.add(
                            each.get("type").asText() + " " + each.get("name").asText()));
            assertEquals(Set.of("datasource datasource", "query job"), variables, file.toString());
            Set<Integer> ids = new HashSet<>();
            Set<String> places = new HashSet<>();
            for (JsonNode panel : board.get("panels")) {
                assertTrue(ids.add(panel.get("id").asInt()), file + ": id " + panel.get("id") + " is used twice");
                assertTrue(places.add(panel.get("gridPos").toString()), file + ": two panels at one place");
                assertEquals("${datasource}", panel.get("datasource").get("uid").asText());
                panel.get("targets")
                        .forEach(target -> assertEquals(
                                "${datasource}",
                                target.get("datasource").get("uid").asText()));
            }
        }
    }

    @Test
    void expressionsOfDashboardsAreValid(@TempDir Path folder) throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboards\n    rules:\n");
        int number = 0;
        for (Path file : MonitoringFiles.dashboards()) {
            for (String[] target : MonitoringFiles.targets(MonitoringFiles.json(file))) {
                String expression = target[0].replace("$job", "tributary").replace("$__rate_interval", "1m");
                rules.append("      - record: target_")
                        .append(number++)
                        .append("\n        expr: '")
                        .append(expression)
                        .append("'\n");
            }
        }
        Path file = Files.writeString(folder.resolve("dashboards.yml"), rules);
        MysqlTools.Outcome check = PrometheusServer.promtool("check", "rules", file.toString());
        assertEquals(0, check.status(), check.output());
        assertTrue(number > 60, "found only " + number);
    }

    @Test
    void eachMetricThatIsNamedIsInTheList() {
        Set<String> known = new TreeSet<>();
        for (Metric metric : Metric.values()) {
            Stream<String> endings =
                    metric.kind() == Metric.Kind.HISTOGRAM ? Stream.of("_bucket", "_count", "_sum") : Stream.of("");
            endings.forEach(ending -> known.add(metric.prometheus() + ending));
        }
        Map<String, Set<String>> used = MonitoringFiles.used();
        used.keySet().removeIf(name -> !name.startsWith("tributary_") || known.contains(name));
        assertEquals(Map.of(), used);
    }
}
