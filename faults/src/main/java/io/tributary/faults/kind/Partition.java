package io.tributary.faults.kind;

import io.tributary.faults.site.Link;
import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Fault: two parts of a test cluster cannot reach each other for a while.
 *
 * @param how duration
 */
public record Partition(Link link, Way way, Duration how) implements Fault {
    /** How a link fails. */
    public enum Way {
        /** Connections are closed and new ones are refused. */
        CUT("connections closed, new ones refused"),
        /** No bytes pass in either direction, and connections stay open. */
        HALF_OPEN("nothing passes, connections stay open"),
        /** No bytes pass to the side that listens. */
        ONE_WAY_THERE("nothing passes towards the listener, connections stay open"),
        /** No bytes pass from the side that listens. */
        ONE_WAY_BACK("nothing passes from the listener, connections stay open");

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
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.link(cluster, link);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        TcpProxy proxy = cluster.link(link).orElseThrow();
        injection.now();
        way.begin(proxy);
        injection.inPlace();
        injection.last(how);
        proxy.pass();
        injection.repaired();
    }
}
