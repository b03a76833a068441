package io.tributary.node.command;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.help.Version;
import io.tributary.node.command.log.StoredRowSearch;
import io.tributary.node.console.RowSearch;
import io.tributary.node.process.StopSignal;
import io.tributary.node.role.Node;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.NodeVersion;
import io.tributary.node.role.RoleName;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code tributary start}: runs a node until a signal stops it. */
@Command(name = "start", description = "Runs a node until SIGTERM or Ctrl-C.", mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
    private final StopSignal stop;

    @Mixin
    private ConfigFile config;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "The role, one of ${COMPLETION-CANDIDATES}; has priority over node.role.")
    private RoleName role;

    @Option(
            names = "--takeover",
            description =
                    "Takes over the shards from another node that writes heartbeat rounds to them; that node stops.")
    private boolean takesOver;

    StartCommand(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() throws Exception {
        Map<String, String> overrides = new LinkedHashMap<>();
        if (role != null) {
            overrides.put("node.role", role.name().toLowerCase(Locale.ROOT));
        }
        if (takesOver) {
            overrides.put("node.takeover", "true");
        }
        Config read = config.read(overrides);
        try (StoredRowSearch search = new StoredRowSearch(() -> read.get(BinlogConfig.class))) {
            Node.run(
                    read,
                    () -> config.read(overrides),
                    new NodeVersion(Version.text(), Version.revision()),
                    stop,
                    read.get(NodeConfig.class).keepsFiles() ? search : RowSearch.NONE);
        }
        return 0;
    }
}
