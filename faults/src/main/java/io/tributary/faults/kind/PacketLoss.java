package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.PacketLink;
import io.tributary.faults.site.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Fault: the network between two parts of a test cluster drops packets for a while. No process is informed: connections stay open, the kernels send
 * again with growing pauses, and a process that connects gets no answer.
 *
 * @param how duration
 */
public record PacketLoss(Link link, Way way, Duration how) implements Fault {
    /** The direction of the dropped packets. */
    public enum Way {
        BOTH("drop", "in both directions", true, true),
        THERE("drop-there", "towards the listener", true, false),
        BACK("drop-back", "from the listener", false, true);

        private final String name;
        private final String words;
        private final boolean there;
        private final boolean back;

        Way(String name, String words, boolean there, boolean back) {
            this.name = name;
            this.words = words;
            this.there = there;
            this.back = back;
        }
    }

    @Override
    public String name() {
        return way.name + "-" + link.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String words() {
        return "the network between " + link.words() + " drops all packets " + way.words + " for " + how.toMillis()
                + " ms (packet filter at a port)";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.packets(cluster);
    }

    @Override
    public boolean needsObjectStore() {
        return link == Link.STORE;
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        PacketLink packets = cluster.packets(link).orElseThrow();
        packets.drop(way.there, way.back);
        injection.now(); // the filter is active: new transactions commit without this link
        injection.last(how);
        packets.pass();
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) throws IOException {
        if (link == Link.STORE) {
            StoredFiles.awaitAll(cluster);
        }
    }
}
