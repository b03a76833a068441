package io.tributary.node.command.client;

import io.tributary.common.config.Config;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of all commands that selects the node: its configuration file. Without it, the file is that of {@link ConfigSearch}. */
public final class ConfigFile {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "The node's configuration file; docs/configuration.md lists every key. Default: the file that the"
                            + " environment variable TRIBUTARY_CONFIG names, else " + ConfigSearch.USUAL + ".")
    private Path path;

    /**
     * The file.
     *
     * @throws ParameterException if none is given, and there is none at the usual places
     */
    public Path path() {
        ConfigSearch search = new ConfigSearch(System::getenv, Path.of(ConfigSearch.USUAL));
        return search.file(path).orElseThrow(() -> new ParameterException(spec.commandLine(), search.notFound()));
    }

    /** All keys; throws as {@link NodeKeys#read(Path, Map)} does. */
    public Config read(Map<String, String> overrides) {
        return NodeKeys.read(path(), overrides);
    }

    /** The keys of one record; the other keys may be missing or invalid. */
    public <T extends Record> T read(Class<T> keys) {
        return NodeKeys.read(path(), List.of(keys)).get(keys);
    }

    /** Prints a line about the configuration that does not end the command, to the standard error output. */
    void warn(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("warning: " + line);
        err.flush();
    }

    /** Problems with passwords in clear text that every user of the machine can read, one line for each file. */
    public List<String> clearSecrets() {
        return NodeKeys.clearSecrets(path());
    }
}
