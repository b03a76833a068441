package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.TestCluster;
import java.io.IOException;
import java.util.Optional;

/** Fault: the object store cannot be reached or does not answer. Afterwards all finished files must arrive there. */
public record StoreAway(Partition partition) implements Fault {
    /** @param partition a partition of {@link Link#STORE} */
    public StoreAway {
        if (partition.link() != Link.STORE) {
            throw new IllegalArgumentException("expected a partition of the store, found " + partition);
        }
    }

    @Override
    public String name() {
        return partition.name();
    }

    @Override
    public String words() {
        return partition.words();
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return partition.lacks(cluster);
    }

    @Override
    public boolean lastsLong() {
        return true;
    }

    @Override
    public boolean needsObjectStore() {
        return true;
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        partition.inject(cluster, injection);
    }

    @Override
    public void awaitRecovered(TestCluster cluster) throws IOException {
        StoredFiles.awaitAll(cluster);
    }
}
