package io.tributary.node.command.client;

import io.tributary.common.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option of all commands that selects the node: its configuration file. */
public final class ConfigFile {
    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The node's configuration file; docs/configuration.md lists every key.")
    private Path path;

    /** All keys; throws as {@link NodeKeys#read(Path, Map)} does. */
    public Config read(Map<String, String> overrides) {
        return NodeKeys.read(path, overrides);
    }

    /** The keys of one record; the other keys may be missing or invalid. */
    public <T extends Record> T read(Class<T> keys) {
        return NodeKeys.read(path, List.of(keys)).get(keys);
    }

    /** Problems with passwords in clear text that every user of the machine can read, one line for each file. */
    public List<String> clearSecrets() {
        return NodeKeys.clearSecrets(path);
    }
}
