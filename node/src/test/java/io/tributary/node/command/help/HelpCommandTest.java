package io.tributary.node.command.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.command.TributaryCommand;
import io.tributary.node.process.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = TributaryCommand.commandLine(new StopSignal(), arguments);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void showsAllCommandsOrTheUsageOfOne() {
        assertEquals(0, run("help"));
        for (String name :
                TributaryCommand.commandLine(new StopSignal()).getSubcommands().keySet()) {
            assertTrue(out.toString().lines().anyMatch(line -> line.startsWith("  " + name + " ")), name);
        }
        assertEquals(0, run("help", "backup", "list"));
        assertTrue(out.toString().contains("Usage: tributary backup list "), out.toString());
        assertEquals(2, run("help", "bakup"));
        assertTrue(err.toString().startsWith("expected a command of tributary, found 'bakup'; did you mean backup?"));
    }

    @Test
    void theVersionNamesTheProgramTheMachineAndTheProtocols() {
        assertEquals(0, run("version", "-o", "yaml"));
        for (String key : new String[] {"version", "revision", "jvm", "system", "protocol.mysql", "protocol.stream"}) {
            assertTrue(out.toString().lines().anyMatch(line -> line.startsWith(key + ": ")), key + " in " + out);
        }
        assertTrue(out.toString().contains("version: " + Version.text() + "\n"), out.toString());
    }
}
