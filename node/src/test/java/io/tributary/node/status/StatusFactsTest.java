package io.tributary.node.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.backup.Manifest;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusFactsTest {
    private static final LeaderStatus LEADER = new LeaderStatus(new Leader("a", 4));

    private static String text(StatusPart... parts) {
        return StatusFacts.of(List.of(parts)).toString();
    }

    @Test
    void theLeaderIsShownOnce() {
        assertEquals("{leader=a, epoch=4}", text(LEADER));
        assertEquals(
                "{state.in.cluster=follows, epoch=3, leader=b, copied=2:9, behind.bytes=5, serves=not yet}",
                text(
                        new DumperStatus.Following(
                                new Leader("b", 3),
                                new CopyStatus(new LogPosition(3, 2, 9, 1), 5),
                                Optional.empty(),
                                Optional.of(ReadersStatus.NOT_YET)),
                        LEADER));
    }

    @Test
    void aBackupReportsItsLastFile() {
        assertEquals("{backed.up=nothing yet}", text(new BackupStatus(List.of())));
        Manifest.Entry file = new Manifest.Entry("binlog.000001", 500, "aa", 1, 0, 0, Optional.empty(), true);
        assertEquals("{backed.up=1 files, up to binlog.000001}", text(new BackupStatus(List.of(file))));
    }

    @Test
    void aShardThatIsHeldHasItsReason() {
        PipelineStatus.HeldShard held = new PipelineStatus.HeldShard("s1", "waits for an operator");
        assertEquals(
                "{node=n, shard.s1.held=waits for an operator, quorum=election needs 2 of 3 Dumpers, readers see"
                        + " transactions on 2}",
                text(
                        new MemberStatus("n"),
                        new PipelineStatus(List.of(), List.of(held)),
                        new QuorumStatus(new Quorum(3, Acknowledgement.MAJORITY))));
    }
}
