package io.tributary.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Injects a few faults of each kind into one cluster; bin/faults injects all of them, many times. The cluster is in network namespaces if this
 * machine allows them, for which the process that injects must be in one too; else on loopback.
 */
class FaultsIT {
    private static final List<String> PASSED_ON = List.of("seed", "tributary.home", "tributary.mysql.dist");

    @Test
    void nothingIsLostDuplicatedOrTorn() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                NodeProcess.projectHome().resolve("bin/in-private-network").toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1"));
        PASSED_ON.stream()
                .filter(name -> System.getProperty(name) != null)
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path"), FewOfEach.class.getName()));
        List<String> output = new ArrayList<>();
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(command).redirectErrorStream(true));
                BufferedReader lines = process.process().inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line);
                output.add(line);
            }
            int status = process.process().onExit().join().exitValue();
            assertEquals(
                    0,
                    status,
                    () -> "these faults failed, report and logs are in target/faults:\n"
                            + String.join("\n", output.subList(Math.max(0, output.size() - 40), output.size())));
        }
    }
}
