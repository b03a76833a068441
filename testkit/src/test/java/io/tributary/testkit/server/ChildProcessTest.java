package io.tributary.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child ends on request, and when the JVM that started it is killed. */
class ChildProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** A separate JVM that starts a child, prints its id, and waits. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws IOException {
            ChildProcess child = ChildProcess.start(List.of("sleep", "1000"), Path.of("/dev/null"));
            System.out.println(child.pid());
            System.out.flush();
            int end = System.in.read();
            System.out.println("stopped by " + end);
        }
    }

    @Test
    void endsWhenItsJvmIsKilled() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        List<String> command =
                List.of(java, "-Xmx32m", "-cp", System.getProperty("java.class.path"), Parent.class.getName());
        try (ChildProcess jvm = ChildProcess.start(new ProcessBuilder(command))) {
            BufferedReader out = jvm.process().inputReader(StandardCharsets.UTF_8);
            long child = Long.parseLong(out.readLine());
            assertTrue(isAlive(child));
            jvm.kill9();
            Await.until("the child " + child + " to end", LIMIT, () -> !isAlive(child));
        }
    }

    @Test
    void endsOnRequest() {
        try (ChildProcess child = ChildProcess.start(List.of("sleep", "1000"), Path.of("/dev/null"))) {
            child.pause();
            child.resume();
            assertTrue(child.terminate(LIMIT));
            assertFalse(child.isAlive());
        }
    }

    @Test
    void aMissingLibraryIsNamedWithTheCommandThatInstallsIt(@TempDir Path folder) throws IOException {
        Path log = Files.writeString(
                folder.resolve("log"),
                "mysqld: error while loading shared libraries: libaio.so.1: cannot open shared object file: No such file");
        assertEquals(
                "mysqld needs the system library libaio.so.1: apt-get install libaio1", MysqlDistribution.explain(log));
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
