package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.util.Optional;

/**
 * Fault: uploads to the object store are interrupted in the middle, one after another.
 *
 * @param cuts number of interrupted uploads
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
        return cuts + " uploads are interrupted after a random number of bytes";
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
        for (int cut = 0; cut < cuts; cut++) {
            long goal = proxy.bytes(Direction.TO_TARGET) + injection.random().nextInt(MOST_BYTES);
            proxy.cutAfter(Direction.TO_TARGET, goal - proxy.bytes(Direction.TO_TARGET));
            Await.until(
                    () -> "an upload of " + goal + " bytes; " + proxy.bytes(Direction.TO_TARGET) + " so far",
                    TestCluster.LIMIT,
                    () -> proxy.bytes(Direction.TO_TARGET) >= goal);
        }
        proxy.pass();
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) throws IOException {
        StoredFiles.awaitAll(cluster);
    }
}
