package io.tributary.node.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.Manifest;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
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

    @Test
    void anApplierReportsItsPlaceAndItsLag() {
        GtidSet executed = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-7");
        ApplyStatus.Way way = new ApplyStatus.Way(new HostPort("there", 3306), "events", "strict");
        HostPort here = new HostPort("here", 3307);
        assertEquals(
                "{apply.state=running, apply.node=here:3307, apply.name=tributary,"
                        + " apply.executed=3e11fa47-71ca-11e1-9e33-c80aa9429562:1-7,"
                        + " apply.newest=3e11fa47-71ca-11e1-9e33-c80aa9429562:7, apply.lag.transactions=12,"
                        + " apply.lag.seconds=0.250, apply.target=there:3306, apply.backend=events, apply.order=strict,"
                        + " apply.workers.active=3 of 8, apply.retries=2, apply.left.out=1}",
                text(new ApplyStatus(
                        new ReaderStatus(
                                "running",
                                here,
                                "tributary",
                                new ReaderStatus.Progress(
                                        executed,
                                        Optional.of(new Gtid(executed.sids().get(0), 7))),
                                new ReaderStatus.Lag(12, 0.25)),
                        way,
                        new ApplyStatus.Work(3, 8, 2, 1))));
        String unknown = text(new ApplyStatus(
                new ReaderStatus(
                        "starting",
                        here,
                        "tributary",
                        new ReaderStatus.Progress(GtidSet.EMPTY, Optional.empty()),
                        new ReaderStatus.Lag(Double.NaN, Double.NaN)),
                way,
                new ApplyStatus.Work(0, 8, 0, 0)));
        assertTrue(
                unknown.contains("apply.executed=, apply.lag.transactions=not known, apply.lag.seconds=not known"),
                unknown);
    }
}
