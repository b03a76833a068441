package io.tributary.faults.kind;

import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.server.MysqlServer;
import java.util.List;

/** Fault: a shard's server is killed (SIGKILL) under load, and started again. */
public record KillShard() implements Fault {
    @Override
    public String name() {
        return "kill-shard";
    }

    @Override
    public String words() {
        return "kill -9 of a shard's server, started again at once";
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        List<MysqlServer> shards = cluster.shards();
        MysqlServer shard = shards.get(injection.random().nextInt(shards.size()));
        injection.now();
        shard.kill9();
        injection.inPlace();
        shard.restart();
        injection.repaired();
    }
}
