package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.CountedVoters;
import io.tributary.binlog.replicate.LeadStage;
import io.tributary.binlog.replicate.LeaderLog;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.cluster.Lease;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowerReplicationTest {
    @TempDir
    private Path folder;

    @Test
    void aTermThatCannotBeginLeavesNoMetricsBehind() throws Exception {
        try (Metrics metrics = new Metrics();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Config config = new ConfigReader(List.of(BinlogConfig.class, ReplicateConfig.class))
                    .read(
                            "test",
                            List.of(
                                    "binlog.directory = " + folder.resolve("binlog"),
                                    "dumper.followers = 1",
                                    "dumper.listen = 127.0.0.1:" + taken.getLocalPort()),
                            Map.of());
            BinlogConfig binlog = config.get(BinlogConfig.class);
            try (BinlogDirectory directory = BinlogDirectory.open(binlog, Clock.SYSTEM)) {
                BinlogFiles files =
                        Recovery.run(directory, binlog, Clock.SYSTEM).files();
                LeadStage.LeaderSettings term = new LeadStage.LeaderSettings(
                        1, FileOffset.of(files.writtenEnd()), 1, CountedVoters.all(), Lease.FOREVER, heard -> {});
                TributaryException failure = assertThrows(
                        TributaryException.class,
                        () -> new FollowerReplication(
                                config.get(ReplicateConfig.class),
                                new LeaderTermLog(new LeaderLog(new LogIdentity("c", "binlog"), files), term),
                                metrics.child(),
                                Clock.SYSTEM,
                                cause -> {}));
                assertEquals(ErrorCode.ADDRESS_UNUSABLE, failure.code());
            }
            assertEquals(List.of(), metrics.samples());
        }
    }
}
