package io.tributary.compatibility;

import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds the clients that are not of the JVM, with Go and Python where this machine has them; each once. */
final class Toolchain {
    private static final Path SOURCES = Path.of(System.getProperty("tributary.home"), "compatibility/src/clients");
    private static final Path BUILT = Path.of("target/clients").toAbsolutePath();

    private Toolchain() {}

    static Path goProgram() {
        return BUILT.resolve("go/reader");
    }

    static Path python() {
        return BUILT.resolve("python/bin/python");
    }

    static Path pythonReader() {
        return SOURCES.resolve("python/reader.py").toAbsolutePath();
    }

    static Path nodeReader() {
        return BUILT.resolve("node/reader.mjs");
    }

    /** Sets up the clients of Node.js; answers the version of a package in package.json. */
    static String node(String required) throws IOException, Client.NotHere {
        Path source = SOURCES.resolve("node");
        Path folder = nodeReader().getParent();
        needs("npm", "--version");
        needs("node", "--version");
        Files.createDirectories(folder);
        run("cp \"$1\"/* \"$2\" && cd \"$2\" && { [ -d node_modules ] || npm ci --silent; }", source, folder);
        return version(source.resolve("package.json"), "\"" + required + "\": \"(\\S+)\"");
    }

    static Path rustProgram() {
        return BUILT.resolve("rust/debug/reader");
    }

    /** Builds the clients of Rust; answers the version of a crate in Cargo.toml. */
    static String rust(String required) throws IOException, Client.NotHere {
        Path source = SOURCES.resolve("rust");
        needs("cargo", "--version");
        run("cd \"$1\" && CARGO_TARGET_DIR=\"$2\" cargo build --quiet --locked", source, BUILT.resolve("rust"));
        return version(source.resolve("Cargo.toml"), required + " = \\D*(\\d[\\d.]*)");
    }

    /** Builds the Go client; answers the version of go-mysql. */
    static String go() throws IOException, Client.NotHere {
        Path source = SOURCES.resolve("go");
        needs("go", "version");
        Files.createDirectories(goProgram().getParent());
        run("cd \"$1\" && go build -o \"$2\" .", source, goProgram());
        return version(source.resolve("go.mod"), "go-mysql-org/go-mysql v(\\S+)");
    }

    /** Sets up the Python clients; answers the version that a line of requirements.txt names. */
    static String python(String required) throws IOException, Client.NotHere {
        return python(SOURCES.resolve("python/requirements.txt"), python(), required);
    }

    static Path tapPython(String tap) {
        return BUILT.resolve(tap).resolve("bin/python");
    }

    static Path tapReader() {
        return SOURCES.resolve("tap/reader.py").toAbsolutePath();
    }

    /** Sets up a tap of Singer, which needs older libraries than the other Python clients; answers its version. */
    static String tap(String tap) throws IOException, Client.NotHere {
        return python(SOURCES.resolve("tap").resolve(tap + ".txt"), tapPython(tap), tap);
    }

    private static String python(Path requirements, Path python, String required) throws IOException, Client.NotHere {
        Path folder = python.getParent().getParent();
        if (!Files.exists(folder.resolve("ready"))) {
            needs("python3", "--version");
            run(
                    "python3 -m venv \"$2\" && \"$2/bin/pip\" install -q -r \"$1\" && touch \"$2/ready\"",
                    requirements,
                    folder);
        }
        return version(requirements, required + "==(\\S+)");
    }

    private static void needs(String program, String option) throws Client.NotHere {
        MysqlTools.Outcome outcome =
                MysqlTools.run(List.of("bash", "-c", "command -v " + program + " && " + program + " " + option));
        if (outcome.status() != 0) {
            throw new Client.NotHere(program + " is not on the PATH");
        }
    }

    private static void run(String script, Path first, Path second) throws Client.NotHere {
        MysqlTools.Outcome outcome = MysqlTools.run(
                List.of("bash", "-c", script, "bash", first.toAbsolutePath().toString(), second.toString()));
        if (outcome.status() != 0) {
            throw new Client.NotHere("could not be built: " + outcome.output().strip());
        }
    }

    static String version(Path file, String pattern) throws IOException {
        Matcher version = Pattern.compile(pattern).matcher(Files.readString(file));
        if (!version.find()) {
            throw new IOException(file + " has no " + pattern);
        }
        return version.group(1);
    }
}
