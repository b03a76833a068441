package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.NodeProcess;
import io.tributary.local.Quickstart;
import io.tributary.testkit.server.MysqlTools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the quickstart as a new user runs it, without its build. */
class QuickstartIT {
    @Test
    void theExitStatusIsThatOfTheVerdict() {
        MysqlTools.Outcome outcome = quickstart("--once", "--seconds", "4", "--seed", "2");
        List<String> lines = outcome.output().lines().toList();
        String last = lines.get(lines.size() - 1);
        assertEquals(0, outcome.status(), outcome.output());
        assertTrue(last.startsWith("PASS: transactions in ") && last.contains("bank.accounts 3000 rows"), last);
    }

    @Test
    void aReplicaOfShardsWithDataIsSeeded() {
        MysqlTools.Outcome outcome = quickstart("--with-data", "--once", "--seconds", "2", "--seed", "4");
        List<String> lines = outcome.output().lines().toList();
        String last = lines.get(lines.size() - 1);
        assertEquals(0, outcome.status(), outcome.output());
        assertTrue(lines.contains("ready: 3 tables"), outcome.output());
        assertTrue(last.startsWith("PASS: transactions in ") && last.contains("bank.accounts 60000 rows"), last);
    }

    @Test
    void aConsumerOfKafkaHasTheRowsOfTheShards() {
        MysqlTools.Outcome outcome = quickstart("--kafka", "--once", "--seconds", "2", "--seed", "5");
        assertEquals(0, outcome.status(), outcome.output());
        assertTrue(outcome.output().contains("rows and 3 DDL statements"), outcome.output());
        assertTrue(
                outcome.output()
                        .lines()
                        .anyMatch(line ->
                                line.startsWith("PASS: transactions in ") && line.contains("bank.accounts 3000 rows")),
                outcome.output());
    }

    /** Checks the lines between the figures: the leader, the kill, and the next leader. */
    @Test
    void aClusterContinuesWithoutTheKilledLeader() {
        MysqlTools.Outcome outcome = quickstart("--cluster", "--once", "--seconds", "2", "--seed", "3", "--lease", "8");
        assertEquals(0, outcome.status(), outcome.output());
        List<String> printed = outcome.output()
                .lines()
                .filter(line ->
                        line.matches(".*(leads under epoch|kill -9|leads now|Readers waited|same bytes|PASS).*"))
                .map(line -> line.replaceAll(
                        ".*(leads under epoch|kill -9|leads now|Readers waited|same bytes|PASS).*", "$1"))
                .toList();
        assertEquals(
                List.of("leads under epoch", "leads under epoch", "leads now", "Readers waited", "same bytes", "PASS"),
                printed,
                outcome.output());
    }

    @Test
    void refusesAnUnknownOption() {
        MysqlTools.Outcome outcome = quickstart("--forever");
        assertEquals(2, outcome.status());
        assertTrue(outcome.output().contains("usage: ./quickstart"), outcome.output());
    }

    private static MysqlTools.Outcome quickstart(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Dtributary.home=" + NodeProcess.projectHome(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Quickstart.class.getName()));
        command.addAll(List.of(arguments));
        return MysqlTools.run(command);
    }
}
