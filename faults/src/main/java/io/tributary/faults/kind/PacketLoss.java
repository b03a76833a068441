package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.PacketLink;
import io.tributary.faults.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The network between two parts of a site drops packets for a while: nobody is told, connections stay, what was sent is sent again by the
 * kernel with growing pauses, who connects gets no answer.
 *
 * @param how how long
 */
public record PacketLoss(Link link, Way way, Duration how) implements Fault {
    /** Which packets. */
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
    public Optional<String> lacks(Site site) {
        return Needs.packets(site);
    }

    @Override
    public boolean needsObjectStore() {
        return link == Link.STORE;
    }

    @Override
    public void inject(Site site, Strike strike) {
        PacketLink packets = site.packets(link).orElseThrow();
        packets.drop(way.there, way.back);
        strike.now(); // the filter is there: what is committed from now on has to do without
        strike.last(how);
        packets.pass();
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) throws IOException {
        if (link == Link.STORE) {
            StoredFiles.awaitAll(site);
        }
    }
}
