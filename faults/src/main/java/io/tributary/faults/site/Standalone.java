package io.tributary.faults.site;

import io.tributary.local.LocalCluster;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** One process that is everything. */
final class Standalone {
    private Standalone() {}

    static Nodes open(Path folder, Wiring wiring) throws SQLException {
        LocalCluster cluster = LocalCluster.withShards(folder, Wiring.shards(), wiring::common);
        return new FixedNodes(cluster, Map.of(Role.LEADER, List.of(cluster.node())));
    }
}
