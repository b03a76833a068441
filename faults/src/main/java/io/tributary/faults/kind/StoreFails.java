package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Fault: the object store answers every request with an error for a while.
 *
 * @param how duration
 */
public record StoreFails(Duration how) implements Fault {
    @Override
    public String name() {
        return "store-errors";
    }

    @Override
    public String words() {
        return "the object store answers 503 SlowDown for " + how.toMillis() + " ms";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.link(cluster, Link.STORE);
    }

    @Override
    public boolean needsObjectStore() {
        return true;
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        TcpProxy proxy = cluster.link(Link.STORE).orElseThrow();
        injection.now();
        proxy.retarget(cluster.store().failingPort()).cut();
        injection.last(how);
        proxy.retarget(cluster.store().port()).cut();
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) throws IOException {
        StoredFiles.awaitAll(cluster);
    }
}
