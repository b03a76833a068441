package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The leader's disk hangs: no force of a binlog file returns or fails, and all else of its process goes on. It is killed and started again, on a disk
 * that answers, when the others have shown that they can do without it.
 */
public record HungDisk() implements Fault {
    private static final Duration FOR_EVER = Duration.ofHours(1);

    @Override
    public String name() {
        return "hung-disk-leader";
    }

    @Override
    public String words() {
        return "no fsync of the leader returns until readers get new transactions without it; then it is killed and started again";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.nodes(site, List.of(Role.FOLLOWER))
                .or(() -> Needs.zookeeper(site))
                .or(() -> Needs.disk(site, Role.LEADER));
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        NodeProcess leader = site.nodes(List.of(Role.LEADER)).get(0);
        DumperDisk disk = site.disk(leader).orElseThrow();
        strike.now();
        disk.delay(FOR_EVER);
        strike.inPlace();
        strike.awaitServed(Site.LIMIT);
        leader.kill9();
        disk.delay(Duration.ZERO);
        leader.launch();
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
