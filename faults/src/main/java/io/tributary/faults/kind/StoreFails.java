package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Site;
import io.tributary.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The object store answers every request with an error for a while.
 *
 * @param how how long
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
    public Optional<String> lacks(Site site) {
        return Needs.link(site, Link.STORE);
    }

    @Override
    public boolean needsObjectStore() {
        return true;
    }

    @Override
    public void inject(Site site, Strike strike) {
        TcpProxy proxy = site.link(Link.STORE).orElseThrow();
        strike.now();
        proxy.retarget(site.store().failingPort()).cut();
        strike.last(how);
        proxy.retarget(site.store().port()).cut();
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) throws IOException {
        StoredFiles.awaitAll(site);
    }
}
