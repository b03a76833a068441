package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Site;
import io.tributary.testkit.Await;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.util.Optional;

/**
 * Uploads to the object store are cut off in their middle, one after another.
 *
 * @param cuts how many
 */
public record PartialUploads(int cuts) implements Fault {
    /** A finished file is four times as large. */
    private static final int MOST_BYTES = 120_000;

    @Override
    public String name() {
        return "partial-uploads";
    }

    @Override
    public String words() {
        return cuts + " uploads are cut off after a random number of bytes";
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
        for (int cut = 0; cut < cuts; cut++) {
            long goal = proxy.bytes(Direction.TO_TARGET) + strike.random().nextInt(MOST_BYTES);
            proxy.cutAfter(Direction.TO_TARGET, goal - proxy.bytes(Direction.TO_TARGET));
            Await.until(
                    () -> "an upload of " + goal + " bytes; " + proxy.bytes(Direction.TO_TARGET) + " so far",
                    Site.LIMIT,
                    () -> proxy.bytes(Direction.TO_TARGET) >= goal);
        }
        proxy.pass();
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) throws IOException {
        StoredFiles.awaitAll(site);
    }
}
