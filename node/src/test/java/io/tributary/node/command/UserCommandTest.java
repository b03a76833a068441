package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.node.process.StopSignal;
import io.tributary.serve.users.UserEntry;
import io.tributary.serve.users.UsersFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UserCommandTest {
    private final InputStream stdin = System.in;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
    private List<String> more = List.of();

    @TempDir
    private Path folder;

    @AfterEach
    void restoreStdin() {
        System.setIn(stdin);
    }

    private int run(String password, String... arguments) throws IOException {
        System.setIn(new ByteArrayInputStream(password.getBytes(StandardCharsets.UTF_8)));
        List<String> lines = new ArrayList<>(List.of(
                "binlog.directory = " + folder.resolve("binlog"), "shard.a.host = 127.0.0.1", "shard.a.user = u"));
        lines.addAll(more);
        Path file = Files.write(folder.resolve("node.properties"), lines);
        out = new StringWriter();
        err = new StringWriter();
        CommandLine line = TributaryCommand.commandLine(new StopSignal());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of("user"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-c", file.toString()));
        return line.execute(all.toArray(String[]::new));
    }

    private UserEntry user(String name) {
        return UsersFile.read(folder.resolve("binlog").resolve("serve").resolve(UsersFile.NAME))
                .get(name);
    }

    @Test
    void addsChangesListsAndRemoves() throws IOException {
        assertEquals(0, run("söcret\nignored\n", "add", "reader"), err.toString());
        assertTrue(user("reader").password().orElseThrow().accepts("söcret"));
        assertEquals(Set.of(Right.REPLICATION), user("reader").grant().rights());
        assertEquals(
                0,
                run(
                        "p\n",
                        "add",
                        "other",
                        "--rights",
                        "monitor,ADMIN",
                        "--network",
                        "10.0.0.0/8,::1",
                        "--network",
                        "127.0.0.1",
                        "--connections",
                        "3",
                        "--rate",
                        "20MiB",
                        "--native",
                        "--certificate",
                        "dns:r.example"),
                err.toString());
        Grant grant = user("other").grant();
        assertEquals(Set.of(Right.MONITOR, Right.ADMIN), grant.rights());
        assertEquals("10.0.0.0/8, ::1, 127.0.0.1", UsersFile.networks(grant));
        assertTrue(user("other").nativePassword().orElseThrow().accepts("p"));

        assertEquals(0, run("next\n", "passwd", "other"), err.toString());
        assertTrue(user("other").password().orElseThrow().accepts("next"));
        assertTrue(user("other").nativePassword().orElseThrow().accepts("next"));
        assertEquals(grant, user("other").grant());

        assertEquals(0, run("", "list"), err.toString());
        assertEquals(
                List.of(
                        "reader  rights replication",
                        "other  rights monitor, admin  native  certificate dns:r.example  networks 10.0.0.0/8, ::1,"
                                + " 127.0.0.1  connections 3  rate 20MiB"),
                out.toString().lines().toList());
        assertEquals(0, run("", "remove", "reader"), err.toString());
        assertEquals(0, run("", "list"));
        assertFalse(out.toString().contains("reader"));
    }

    @Test
    void changesOnlyTheGivenOptions() throws IOException {
        assertEquals(0, run("p\n", "add", "a", "--tables", "Shop.*,!shop.secret*", "--rate", "1MiB"), err.toString());
        assertEquals("shop.*, !shop.secret*", user("a").tables().toString());
        assertEquals(0, run("", "set", "a", "--rights", "monitor", "--network", "10.0.0.0/8"), err.toString());
        assertEquals(0, run("", "set", "a", "--tables", "crm"), err.toString());
        assertTrue(user("a").password().orElseThrow().accepts("p"));
        assertEquals(0, run("", "list"), err.toString());
        assertEquals("a  rights monitor  networks 10.0.0.0/8  rate 1MiB  tables crm.*\n", out.toString());
        assertEquals(0, run("", "set", "a", "--tables", "", "--network", "", "--rate", "0B"), err.toString());
        assertEquals(0, run("", "list"), err.toString());
        assertEquals("a  rights monitor\n", out.toString());
    }

    @Test
    void nativePasswordsAreStoredOnlyOnRequest() throws IOException {
        assertEquals(0, run("p\n", "add", "a"), err.toString());
        assertTrue(user("a").nativePassword().isEmpty());
        more = List.of("serve.native-password = true");
        assertEquals(0, run("p\n", "add", "b"), err.toString());
        assertTrue(user("b").nativePassword().isPresent());
        assertEquals(0, run("p\n", "passwd", "a"), err.toString());
        assertTrue(user("a").nativePassword().isPresent());
    }

    @Test
    void invalidCommandsAreRefusedAndChangeNothing() throws IOException {
        assertEquals(0, run("p\n", "add", "a"), err.toString());
        for (String[] wrong : new String[][] {
            {"p\n", "add", "a"},
            {"", "add", "b"},
            {"\n", "add", "b"},
            {"p\n", "add", "b]"},
            {"p\n", "add", "b", "--network", "localhost"},
            {"p\n", "add", "b", "--rate", "fast"},
            {"p\n", "add", "b", "--connections", "-1"},
            {"p\n", "add", "b", "--certificate", "CN=x"},
            {"", "add", "b", "--no-password"},
            {"p\n", "add", "b", "--tables", "a.b.c"},
            {"", "set", "a"},
            {"", "set", "a", "--tables", ".b"},
            {"", "set", "b", "--tables", "shop"},
            {"p\n", "passwd", "b"},
            {"", "remove", "b"},
        }) {
            String[] arguments = List.of(wrong).subList(1, wrong.length).toArray(String[]::new);
            assertEquals(1, run(wrong[0], arguments), String.join(" ", wrong));
            assertTrue(err.toString().startsWith("USER_CHANGE_REFUSED: "), err.toString());
        }
        assertEquals(2, run("p\n", "add", "b", "--rights", "everything"));
        assertEquals(2, run("", "add", "b", "--password", "p"), "a password cannot be given in a command");
        assertEquals(0, run("", "list"));
        assertEquals("a  rights replication\n", out.toString());
    }
}
