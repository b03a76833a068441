package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The command {@code tributary user} for a node, with a password on its standard input. */
record UserCommand(NodeProcess node) {
    void run(String password, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                NodeProcess.projectHome().resolve("bin").resolve("tributary").toString(), "user"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-c", node.configFile().toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write((password + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }
}
