package io.tributary.node.command.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.command.TributaryCommand;
import io.tributary.node.process.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests of the options of {@code tributary log}, and of its end by a signal. */
class LogCommandTest {
    @TempDir
    private Path folder;

    private final StopSignal stop = new StopSignal();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = TributaryCommand.commandLine(stop, arguments);
        line.setErr(new PrintWriter(err, true)).setOut(new PrintWriter(new StringWriter()));
        return line.execute(arguments);
    }

    @Test
    void aSignalEndsTheWaitForANodeThatDoesNotAnswer() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "secret");
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                    () -> run("log", "--source", address, "--source-password-file", password.toString()));
            try (Socket accepted = silent.accept()) {
                assertTrue(accepted.isConnected());
                stop.request();
                assertEquals(130, status.get(4, TimeUnit.SECONDS), err::toString);
            }
        }
        assertTrue(err.toString().startsWith("COMMAND_CANCELLED: "), err.toString());
    }

    @Test
    void optionsThatDoNotFitAreRefused() {
        assertEquals(2, run("log", "--flashback"));
        assertEquals(2, run("log", "--flashback", "--from", "11111111-1111-1111-1111-111111111111:1", "-o", "yaml"));
        assertEquals(2, run("log", "--source", "127.0.0.1:1", "--shards"));
        assertEquals(2, run("log", "--key", "5"));
        assertEquals(2, run("log", "--from", "5"));
        assertTrue(
                err.toString().contains("--flashback: expected --since, --from or --gtid, found none"), err::toString);
    }
}
