package io.tributary.node.console;

import io.tributary.binlog.replicate.FollowerCopy;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.config.HostPort;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.status.CutStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.FilesStatus;
import io.tributary.node.status.ReadersStatus;
import io.tributary.node.status.ReplicationStatus;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The members of the cluster, and the state of this node's Dumper. */
final class ClusterRows {
    private static final int MOST = 50;
    private static final String RELAY = "relay-";

    private final Audience audience;

    ClusterRows(Audience audience) {
        this.audience = audience;
    }

    /** Members with their roles and work, and the leader with its epoch. */
    Map<String, Object> cluster(ClusterStatus cluster) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("leader", cluster.leader().map(Leader::node).orElse(null));
        map.put("epoch", cluster.leader().map(Leader::epoch).orElse(null));
        map.put("members", Bounded.list(cluster.members(), MOST, member -> (Object) member(member, cluster)));
        return map;
    }

    private Map<String, Object> member(ClusterMember member, ClusterStatus cluster) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", Bounded.text(member.id()));
        row.put(
                "roles",
                member.roles().stream()
                        .map(role -> role.name().toLowerCase(Locale.ROOT))
                        .sorted()
                        .toList());
        row.put("leads", cluster.leader().map(Leader::node).equals(Optional.of(member.id())));
        List<String> work = cluster.work().stream()
                .filter(each -> each.node().equals(member.id()))
                .map(ClusterStatus.Work::what)
                .sorted()
                .toList();
        row.put(
                "does",
                work.stream()
                        .filter(what -> !what.startsWith(RELAY))
                        .limit(MOST)
                        .toList());
        row.put(
                "relays",
                Bounded.list(
                        work.stream().filter(what -> what.startsWith(RELAY)).toList(), MOST, what ->
                                (Object) Bounded.text(what.substring(RELAY.length()))));
        if (isOperator()) {
            row.put("startedMicros", member.startedMicros());
            put(row, "admin", member.admin());
            put(row, "mysql", member.mysql());
            put(row, "transmit", member.transmit());
            put(row, "replicate", member.replicate());
        }
        return row;
    }

    private static void put(Map<String, Object> row, String name, Optional<HostPort> address) {
        address.ifPresent(known -> row.put(name, known.toString()));
    }

    /** The state of a Dumper. */
    Map<String, Object> dumper(DumperStatus dumper) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (dumper instanceof DumperStatus.Standalone alone) {
            map.put("state", "standalone");
            readers(map, Optional.of(alone.readers()));
            files(map, Optional.of(alone.files()));
            cut(map, alone.cut());
            followers(map, alone.replication());
        } else if (dumper instanceof DumperStatus.Leading leading) {
            map.put("state", "leads");
            leader(map, leading.leader());
            map.put("leaseMillis", leading.leaseMillis());
            readers(map, Optional.of(leading.readers()));
            files(map, leading.files());
            cut(map, leading.cut());
            followers(map, leading.replication());
        } else if (dumper instanceof DumperStatus.Following following) {
            map.put("state", "follows");
            leader(map, following.leader());
            map.put("behindBytes", following.copy().behindBytes());
            readers(map, following.readers());
            files(map, following.files());
        } else if (dumper instanceof DumperStatus.Copying copying) {
            map.put("state", "copies");
            map.put("epoch", copying.epoch());
            map.put("behindBytes", copying.copy().behindBytes());
            readers(map, copying.readers());
            files(map, copying.files());
        } else {
            map.put("state", "candidate");
        }
        return map;
    }

    private static void leader(Map<String, Object> map, Leader leader) {
        map.put("leader", leader.node());
        map.put("epoch", leader.epoch());
    }

    private void readers(Map<String, Object> map, Optional<ReadersStatus> readers) {
        Optional<InetSocketAddress> address = readers.flatMap(ReadersStatus::address);
        map.put("serves", address.isPresent());
        if (isOperator() && address.isPresent()) {
            map.put(
                    "address",
                    address.get().getHostString() + ":" + address.get().getPort());
        }
    }

    private void files(Map<String, Object> map, Optional<FilesStatus> files) {
        if (isOperator() && files.isPresent()) {
            FilesStatus known = files.get();
            map.put("end", known.end().file() + ":" + known.end().offset());
            map.put("executed", Bounded.text(known.executed().line()));
        }
    }

    private static void cut(Map<String, Object> map, Optional<CutStatus> cut) {
        cut.ifPresent(known -> {
            map.put("cut", known.number());
            map.put("cutEpoch", CutEpoch.text(known.epoch()));
        });
    }

    private static void followers(Map<String, Object> map, Optional<ReplicationStatus> replication) {
        List<FollowerCopy> followers =
                replication.map(ReplicationStatus::followers).orElse(List.of());
        List<Object> names = new ArrayList<>();
        followers.stream().limit(MOST).forEach(follower -> names.add(Bounded.text(follower.member())));
        map.put("followers", names);
        replication.ifPresent(known -> {
            map.put("neededFollowers", known.needed());
            map.put("waitingBytes", known.waitingBytes());
        });
    }

    private boolean isOperator() {
        return audience == Audience.OPERATOR;
    }
}
