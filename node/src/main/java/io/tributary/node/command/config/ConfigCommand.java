package io.tributary.node.command.config;

import io.tributary.common.config.Config;
import io.tributary.common.config.EffectiveSetting;
import io.tributary.node.command.client.AdminClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.command.output.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code tributary config}: shows the configuration of a node. */
@Command(
        name = "config",
        description = "Shows the values of a configuration, and how they differ from those of the running node.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Diff.class})
public final class ConfigCommand {
    /** {@code tributary config show}. */
    @Command(
            name = "show",
            description = {
                "Shows the value of every key that the node's role uses, and where it comes from: a line of the file, an environment",
                "variable or a file that the line names, or the default. Secrets are shown as ***."
            },
            mixinStandardHelpOptions = true)
    static final class Show implements Callable<Integer> {
        @Mixin
        private ConfigFile file;

        @Mixin
        private OutputOptions output;

        @Option(names = "--set", description = "Only keys that the file sets.")
        private boolean isOnlySet;

        @Parameters(
                arity = "0..1",
                paramLabel = "KEY",
                description = "Only keys that begin with this text, such as serve or shard.s1.")
        private String prefix = "";

        @Override
        public Integer call() {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (EffectiveSetting setting : file.read(Map.of()).settings()) {
                if (setting.key().startsWith(prefix) && (setting.isSet() || !isOnlySet)) {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("key", setting.key());
                    row.put("value", setting.value());
                    row.put("from", setting.origin());
                    rows.add(row);
                }
            }
            output.print(rows, "KEY", "VALUE", "FROM");
            return 0;
        }
    }

    /** {@code tributary config diff}. */
    @Command(
            name = "diff",
            description = {
                "Shows the keys whose values in the file differ from those that the running node uses, and what brings each of them into",
                "effect: tributary reload, a restart, or tributary shard add and remove. Exit status 0 if there are none, 1 if there are some."
            },
            mixinStandardHelpOptions = true)
    static final class Diff implements Callable<Integer> {
        @Mixin
        private ConfigFile file;

        @Mixin
        private OutputOptions output;

        @Override
        public Integer call() throws InterruptedException {
            Config config = file.read(Map.of());
            RunningConfig running = RunningConfig.of(YamlText.parse(new AdminClient(file).body("/config")));
            ConfigDifferences differences = new ConfigDifferences(running, config, file.path());
            output.print(differences.page(), differences::text);
            return differences.rows().isEmpty() ? 0 : 1;
        }
    }
}
