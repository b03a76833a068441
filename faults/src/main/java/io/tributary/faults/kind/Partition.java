package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Site;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Two parts of a site do not reach each other for a while.
 *
 * @param how how long
 */
public record Partition(Link link, Way way, Duration how) implements Fault {
    /** How a link fails. */
    public enum Way {
        /** Connections are closed, new ones too. */
        CUT("connections closed, new ones refused"),
        /** Nothing passes in either direction, and nobody is told. */
        HALF_OPEN("nothing passes, connections stay"),
        /** Nothing reaches the one that listens. */
        ONE_WAY_THERE("nothing passes towards the listener, connections stay"),
        /** Nothing comes back from the one that listens. */
        ONE_WAY_BACK("nothing passes from the listener, connections stay");

        private final String words;

        Way(String words) {
            this.words = words;
        }

        private void begin(TcpProxy proxy) {
            switch (this) {
                case CUT -> proxy.refuse().cut();
                case HALF_OPEN -> proxy.halfOpen();
                case ONE_WAY_THERE -> proxy.silence(Direction.TO_TARGET);
                case ONE_WAY_BACK -> proxy.silence(Direction.TO_CLIENT);
            }
        }
    }

    @Override
    public String name() {
        return way.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-"
                + link.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String words() {
        return "between " + link.words() + ": " + way.words + ", for " + how.toMillis() + " ms";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.link(site, link);
    }

    @Override
    public void inject(Site site, Strike strike) {
        TcpProxy proxy = site.link(link).orElseThrow();
        strike.now();
        way.begin(proxy);
        strike.inPlace();
        strike.last(how);
        proxy.pass();
        strike.healed();
    }
}
