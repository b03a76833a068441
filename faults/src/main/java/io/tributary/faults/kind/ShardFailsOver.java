package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Link;
import io.tributary.faults.site.Site;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The first shard's server is killed and a replica of it, which has all of its transactions, answers at the same address: another server's
 * UUID, other files and positions, the same GTIDs. Whoever reads the shard is cut off before at a random moment of the load.
 */
public record ShardFailsOver() implements Fault {
    private static final int MOST_BETWEEN = 60;

    @Override
    public String name() {
        return "shard-fails-over";
    }

    @Override
    public String words() {
        return "the first shard's server is killed, and its replica by GTID answers at its address";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.link(site, Link.SHARD);
    }

    @Override
    public void inject(Site site, Strike strike) throws SQLException {
        MysqlServer shard = site.shards().get(0);
        MysqlReplica replica = site.newReplica(shard.name() + "-replica");
        MysqlUser.tributary(shard.release())
                .createForTributary(replica.server()); // on the shard it is not in the binlog either
        replica.attachByGtid(shard.host(), shard.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        replica.awaitGtids(shard.gtidExecuted(), Site.LIMIT);
        site.awaitMore(1 + strike.random().nextInt(MOST_BETWEEN));
        TcpProxy link = site.link(Link.SHARD).orElseThrow();
        strike.now();
        link.refuse().cut();
        site.bank().stop(); // what a client was told is committed is on the replica too, as with semi-synchronous
        // replication
        replica.awaitGtids(shard.gtidExecuted(), Site.LIMIT);
        replica.stop();
        replica.server().execute("RESET REPLICA ALL");
        shard.failOverTo(replica.server());
        link.pass();
        site.bank().start();
        strike.healed();
    }
}
