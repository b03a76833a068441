package io.tributary.serve;

import io.netty.channel.EventLoopGroup;
import io.tributary.binlog.BinlogFiles;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.ServerListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts servers of readers on a free port of loopback, and makes their configurations. */
final class ServeSettings {
    private ServeSettings() {}

    /** Starts a server for these files, with its users and certificates in the folder. */
    static BinlogServer serve(Path folder, BinlogFiles files, EventLoopGroup group, String... lines) {
        return serve(folder, files, group, of(lines), new Metrics());
    }

    /** As above, with a configuration and with metrics. */
    static BinlogServer serve(
            Path folder, BinlogFiles files, EventLoopGroup group, ServeConfig config, Metrics metrics) {
        return new BinlogServer(
                new ServeOptions(config, ServedBinlog.DUMPS, folder, "8.0.36-tributary", 1 << 20),
                ServedContent.of(files),
                ServerListener.open(group, config.listen().resolve(), "there is no server"),
                Clock.SYSTEM,
                metrics);
    }

    /**
     * Makes a configuration.
     *
     * @param more lines of a configuration file
     */
    static ServeConfig of(String... more) {
        List<String> lines = new ArrayList<>(List.of("serve.listen = 127.0.0.1:0"));
        lines.addAll(List.of(more));
        return new ConfigReader(List.of(ServeConfig.class))
                .read("test", lines, Map.of())
                .get(ServeConfig.class);
    }
}
