package io.tributary.bench.pipeline;

import io.tributary.bench.source.CannedBinlog;
import io.tributary.bench.source.SourceProcess;
import io.tributary.testkit.server.MysqlUser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A run of the peer mysql-binlog-connector-java: all shards at the same time in one process, without the bodies of events, without output files. */
final class ConnectorRun implements Peer {
    private final SourceProcess source;

    ConnectorRun(SourceProcess source) {
        this.source = source;
    }

    @Override
    public String name() {
        return "mysql-binlog-connector-java";
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public Outcome run(Load load) {
        MysqlUser user = MysqlUser.tributary();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ConnectorReader.class.getName(),
                user.name(),
                user.password(),
                CannedBinlog.FILE_NAME));
        command.addAll(load.shardArguments(source));
        return new WatchedCommand(source, load).run(command);
    }
}
