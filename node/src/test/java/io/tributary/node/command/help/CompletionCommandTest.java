package io.tributary.node.command.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.command.TributaryCommand;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the scripts in the shells themselves; those of zsh and fish only where these shells are installed. */
class CompletionCommandTest {
    @TempDir
    private Path folder;

    private Path script(String shell) throws IOException {
        StringWriter out = new StringWriter();
        CommandLine line = TributaryCommand.commandLine(new StopSignal(), "completion", shell);
        assertEquals(0, line.setOut(new PrintWriter(out)).execute("completion", shell));
        return Files.writeString(folder.resolve("completion"), out.toString());
    }

    private static Set<String> output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return new TreeSet<>(Arrays.asList(text.strip().split("\\s+")));
    }

    private static void requireShell(String name) {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/" + name)) || Files.isExecutable(Path.of("/bin/" + name)),
                name + " is not installed");
    }

    private Set<String> ofBash(String... words) throws IOException, InterruptedException {
        String typed = String.join(" ", words);
        String commands = "source " + script("bash") + "; complete -p tributary > /dev/null || exit 1; COMP_WORDS=("
                + typed.replace("''", "\"\"") + "); COMP_CWORD=" + (words.length - 1) + "; COMP_LINE=\"" + typed
                + "\"; _complete_tributary 2> /dev/null; echo \"${COMPREPLY[@]}\"";
        return output("bash", "-c", commands);
    }

    @Test
    void bashCompletesCommandsOptionsAndValues() throws Exception {
        requireShell("bash");
        assertEquals(Set.of("backup"), ofBash("tributary", "back"));
        assertEquals(Set.of("list", "verify", "restore", "prune"), ofBash("tributary", "backup", "''"));
        assertTrue(ofBash("tributary", "status", "--").containsAll(List.of("--output", "--config", "--json")));
        assertEquals(Set.of("table", "json", "yaml"), ofBash("tributary", "status", "-o", "''"));
        assertEquals(Set.of("bash", "zsh", "fish"), ofBash("tributary", "completion", "''"));
    }

    @Test
    void zshReadsTheScript() throws Exception {
        requireShell("zsh");
        Path script = script("zsh");
        String commands = "autoload -U +X compinit && compinit -u -d " + folder.resolve("dump") + "; source " + script
                + "; print ${_comps[tributary]}";
        assertTrue(!output("zsh", "-f", "-c", commands).isEmpty());
        assertTrue(String.join(" ", output("zsh", "-f", "-c", commands)).contains("_complete_tributary"));
    }

    @Test
    void fishCompletesCommandsOptionsAndValues() throws Exception {
        requireShell("fish");
        String source = "source " + script("fish") + "; complete -C ";
        assertTrue(
                output("fish", "--no-config", "-c", source + "'tributary back'").contains("backup"));
        Set<String> below = output("fish", "--no-config", "-c", source + "'tributary backup '");
        assertTrue(below.containsAll(List.of("list", "verify", "restore", "prune")), below.toString());
        assertTrue(!below.contains("status"), below.toString());
        Set<String> values = output("fish", "--no-config", "-c", source + "'tributary status -o '");
        assertTrue(values.containsAll(List.of("table", "json", "yaml")), values.toString());
    }
}
