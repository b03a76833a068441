package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Site;
import io.tributary.testkit.server.MysqlServer;
import java.util.List;

/** A shard's server is killed (SIGKILL) under load, and started again. */
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
    public void inject(Site site, Strike strike) {
        List<MysqlServer> shards = site.shards();
        MysqlServer shard = shards.get(strike.random().nextInt(shards.size()));
        strike.now();
        shard.kill9();
        strike.inPlace();
        shard.restart();
        strike.healed();
    }
}
