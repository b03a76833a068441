package io.tributary.faults;

import io.tributary.faults.kind.BadNetwork;
import io.tributary.faults.kind.Fault;
import io.tributary.faults.kind.Freeze;
import io.tributary.faults.kind.FullDisk;
import io.tributary.faults.kind.HungDisk;
import io.tributary.faults.kind.Kill;
import io.tributary.faults.kind.KillShard;
import io.tributary.faults.kind.LostWrites;
import io.tributary.faults.kind.MachineGone;
import io.tributary.faults.kind.Nothing;
import io.tributary.faults.kind.PacketLoss;
import io.tributary.faults.kind.PartialUploads;
import io.tributary.faults.kind.Partition;
import io.tributary.faults.kind.Partition.Way;
import io.tributary.faults.kind.ShardFailsOver;
import io.tributary.faults.kind.SlowDisk;
import io.tributary.faults.kind.StoreAway;
import io.tributary.faults.kind.StoreFails;
import io.tributary.faults.kind.TornTail;
import io.tributary.faults.kind.ZooKeeperDown;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The list of all faults, one per line. */
public final class FaultList {
    private static final Duration SLOW_SYNC = Duration.ofMillis(300);
    private static final int PARTIAL_UPLOADS = 3;
    private static final int LOSS_PERCENT = 5;

    private FaultList() {}

    /** All faults. */
    public static List<Fault> all(FaultDurations spans) {
        List<Fault> all = new ArrayList<>();
        all.add(new Nothing());
        all.addAll(ofProcesses(spans));
        all.addAll(ofDisks(spans.usual()));
        all.addAll(ofLinks(spans));
        all.addAll(ofTheNetwork(spans));
        all.addAll(ofTheStore(spans));
        return all;
    }

    private static List<Fault> ofProcesses(FaultDurations spans) {
        List<Fault> all = new ArrayList<>();
        for (Role role : List.of(Role.LEADER, Role.FOLLOWER, Role.TASK, Role.RELAY)) {
            all.add(Kill.of(role));
        }
        all.add(Kill.all());
        all.add(new KillShard());
        all.add(new ShardFailsOver());
        all.add(new Freeze(Role.LEADER, spans.twoLeases()));
        for (Role role : List.of(Role.FOLLOWER, Role.TASK, Role.RELAY)) {
            all.add(new Freeze(role, spans.usual()));
        }
        all.add(new ZooKeeperDown(spans.zookeeperDown(), false));
        all.add(new ZooKeeperDown(spans.twoLeases(), true));
        return all;
    }

    private static List<Fault> ofDisks(Duration lasting) {
        List<Fault> all = new ArrayList<>(List.of(new TornTail(false), new TornTail(true)));
        for (Role role : List.of(Role.LEADER, Role.FOLLOWER)) {
            all.add(new LostWrites(role));
            all.add(new SlowDisk(role, SLOW_SYNC, lasting));
            all.add(new FullDisk(role, lasting));
        }
        all.add(new HungDisk());
        return all;
    }

    private static List<Fault> ofLinks(FaultDurations spans) {
        List<Fault> all = new ArrayList<>();
        for (Link link : List.of(Link.FOLLOWERS, Link.ZOOKEEPER)) {
            for (Way way : Way.values()) {
                all.add(new Partition(link, way, spans.twoLeases()));
            }
        }
        for (Link link : List.of(Link.TASK, Link.RELAY, Link.SHARD, Link.SERVE)) {
            for (Way way : Way.values()) {
                all.add(new Partition(link, way, spans.usual()));
            }
        }
        return all;
    }

    private static List<Fault> ofTheNetwork(FaultDurations spans) {
        List<Fault> all = new ArrayList<>();
        for (Role role : List.of(Role.LEADER, Role.FOLLOWER, Role.TASK, Role.RELAY)) {
            all.add(new MachineGone(role, spans.usual()));
        }
        for (Link link : Link.values()) {
            Duration how = link == Link.FOLLOWERS || link == Link.ZOOKEEPER ? spans.twoLeases() : spans.usual();
            for (PacketLoss.Way way : PacketLoss.Way.values()) {
                all.add(new PacketLoss(link, way, how));
            }
        }
        all.add(new BadNetwork(LOSS_PERCENT, spans.twoLeases()));
        return all;
    }

    private static List<Fault> ofTheStore(FaultDurations spans) {
        return List.of(
                new StoreFails(spans.usual()),
                new PartialUploads(PARTIAL_UPLOADS),
                new StoreAway(new Partition(Link.STORE, Way.CUT, spans.storeAway())),
                new StoreAway(new Partition(Link.STORE, Way.HALF_OPEN, spans.storeAway())));
    }
}
