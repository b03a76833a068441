package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Site;
import java.io.IOException;
import java.util.Optional;

/** The object store cannot be reached, or does not answer; afterwards all finished files have to come there. */
public record StoreAway(Partition partition) implements Fault {
    /** @param partition of {@link Link#STORE} */
    public StoreAway {
        if (partition.link() != Link.STORE) {
            throw new IllegalArgumentException("expected a partition of the store, came " + partition);
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
    public Optional<String> lacks(Site site) {
        return partition.lacks(site);
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
    public void inject(Site site, Strike strike) {
        partition.inject(site, strike);
    }

    @Override
    public void awaitRecovered(Site site) throws IOException {
        StoredFiles.awaitAll(site);
    }
}
