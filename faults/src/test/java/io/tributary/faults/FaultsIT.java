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
 * A few faults of each sort on one cluster; bin/faults injects all of them, often. In network namespaces where this machine lets them be made,
 * for which the process that injects has to be in one itself; else on loopback.
 */
class FaultsIT {
    private static final List<String> TOLD = List.of("seed", "tributary.home", "tributary.mysql.dist");

    @Test
    void nothingIsLostDuplicatedOrTorn() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                NodeProcess.projectHome().resolve("bin/in-private-network").toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1"));
        TOLD.stream()
                .filter(name -> System.getProperty(name) != null)
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path"), FewOfEach.class.getName()));
        List<String> said = new ArrayList<>();
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(command).redirectErrorStream(true));
                BufferedReader lines = process.process().inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line);
                said.add(line);
            }
            int status = process.process().onExit().join().exitValue();
            assertEquals(
                    0,
                    status,
                    () -> "these failed, report and logs in target/faults:\n"
                            + String.join("\n", said.subList(Math.max(0, said.size() - 40), said.size())));
        }
    }
}
