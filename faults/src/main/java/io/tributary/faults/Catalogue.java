package io.tributary.faults;

import io.tributary.faults.kind.Freeze;
import io.tributary.faults.kind.FullDisk;
import io.tributary.faults.kind.Kill;
import io.tributary.faults.kind.KillShard;
import io.tributary.faults.kind.LostWrites;
import io.tributary.faults.kind.Nothing;
import io.tributary.faults.kind.PartialUploads;
import io.tributary.faults.kind.Partition;
import io.tributary.faults.kind.Partition.Way;
import io.tributary.faults.kind.SlowDisk;
import io.tributary.faults.kind.StoreAway;
import io.tributary.faults.kind.StoreFails;
import io.tributary.faults.kind.TornTail;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All faults, one a line. */
public final class Catalogue {
    private static final Duration SLOW_SYNC = Duration.ofMillis(300);
    private static final int PARTIAL_UPLOADS = 3;

    private Catalogue() {}

    /**
     * Every fault that can be injected.
     *
     * @param lasting how long one lasts that ends by itself: a partition, a frozen process
     * @param storeAway how long the object store cannot be reached
     */
    public static List<Fault> all(Duration lasting, Duration storeAway) {
        List<Fault> all = new ArrayList<>(List.of(
                new Nothing(), //
                Kill.of(Role.DUMPER),
                Kill.of(Role.TASK),
                Kill.of(Role.RELAY),
                Kill.all(),
                new KillShard(),
                new Freeze(Role.DUMPER, lasting),
                new Freeze(Role.TASK, lasting),
                new Freeze(Role.RELAY, lasting),
                new TornTail(false),
                new TornTail(true),
                new LostWrites(),
                new SlowDisk(SLOW_SYNC, lasting),
                new FullDisk(lasting)));
        for (Link link : List.of(Link.TASK, Link.RELAY, Link.SHARD, Link.SERVE)) {
            for (Way way : Way.values()) {
                all.add(new Partition(link, way, lasting));
            }
        }
        all.add(new StoreFails(lasting));
        all.add(new PartialUploads(PARTIAL_UPLOADS));
        all.add(new StoreAway(new Partition(Link.STORE, Way.CUT, storeAway)));
        all.add(new StoreAway(new Partition(Link.STORE, Way.HALF_OPEN, storeAway)));
        return all;
    }
}
