package io.tributary.node.task;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
import io.tributary.node.process.StallTimer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the relays that read shards for a Task: first those in its configuration, then, for the other shards, relays among the members of the
 * cluster that offer a shard and accept to read it. If several offer a shard, the first by name that answers reads it. The Task itself reads a
 * shard that no relay offers.
 */
public final class RelayMembers {
    private static final Logger LOG = LoggerFactory.getLogger(RelayMembers.class);
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(3);

    private final Members members;
    private final Readiness readiness;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final Map<String, StallTimer> streams = new HashMap<>();
    private final Map<String, String> refusals = new HashMap<>(); // by relay: the refusal that was logged last
    private long lastProbeNanos;
    private boolean hasProbed;

    /** Asks a relay whether it accepts to read shards for this node. */
    public interface Readiness {
        /** Empty if it accepts; otherwise the reason, or that it does not answer. */
        Optional<String> refusal(String relay, HostPort address, Collection<String> shards);
    }

    /**
     * @param lease a relay that has sent nothing for this long may count as lost
     * @param nanoTime the clock
     */
    public RelayMembers(Members members, Readiness readiness, Duration lease, LongSupplier nanoTime) {
        this.members = members;
        this.readiness = readiness;
        this.lease = lease;
        this.nanoTime = nanoTime;
    }

    /**
     * Chooses relays for these shards; asks those that offer them.
     *
     * @param configured relays that keep their shards
     */
    public synchronized RelaysConfig choose(RelaysConfig configured, Collection<String> shards) {
        Map<String, RelayConfig> chosen = new LinkedHashMap<>(configured.relays());
        Set<String> free = new TreeSet<>(shards);
        free.removeIf(shard -> configured.of(shard).isPresent());
        for (ClusterMember relay : offering(free)) {
            List<String> its =
                    relay.shards().stream().filter(free::contains).sorted().toList();
            if (!its.isEmpty() && !chosen.containsKey(relay.id()) && accepts(relay, its)) {
                chosen.put(relay.id(), new RelayConfig(relay.transmit().orElseThrow(), its));
                its.forEach(free::remove);
            }
        }
        return new RelaysConfig(chosen);
    }

    /**
     * Returns why the streams have to be opened again: a new relay accepts to read a shard that this node reads itself. Asks relays only every 3 s.
     *
     * @param shards all shards that are read
     * @param readHere shards that this node reads itself
     */
    public synchronized Optional<String> reasonToMove(
            RelaysConfig configured, Collection<String> shards, Collection<String> readHere) {
        boolean isTooEarly = hasProbed && nanoTime.getAsLong() - lastProbeNanos < PROBE_INTERVAL.toNanos();
        if (offering(readHere).isEmpty() || isTooEarly) {
            return Optional.empty();
        }
        RelaysConfig chosen = choose(configured, shards);
        hasProbed = true;
        lastProbeNanos = nanoTime.getAsLong();
        return readHere.stream()
                .filter(shard -> configured.of(shard).isEmpty())
                .filter(shard -> chosen.of(shard).isPresent())
                .findFirst()
                .map(shard -> "new relay " + chosen.of(shard).orElseThrow() + " reads shard " + shard + " from now on");
    }

    /**
     * Returns why the streams have to be opened again: a relay that was found among the members is no member any more and sends nothing. Its machine
     * may be gone or stopped, while its connections still exist.
     *
     * @param received how many bytes each relay in use has sent, by name
     */
    public synchronized Optional<String> reasonOfLoss(RelaysConfig configured, Map<String, Long> received) {
        streams.keySet().retainAll(received.keySet());
        Set<String> silent = new TreeSet<>();
        received.forEach((relay, bytes) -> {
            StallTimer stream = streams.computeIfAbsent(relay, unused -> new StallTimer(nanoTime));
            if (stream.nanos(bytes) >= lease.toNanos()) {
                silent.add(relay);
            }
        });
        return silent.stream()
                .filter(relay -> !configured.relays().containsKey(relay)
                        && members.find(relay).isEmpty())
                .findFirst()
                .map(relay -> "relay " + relay + " is not a member of the cluster any more and has sent nothing for "
                        + lease.toMillis() + " ms: another relay or this Task reads its shards");
    }

    private List<ClusterMember> offering(Collection<String> shards) {
        return members.with(MemberRole.RELAY).stream()
                .filter(relay -> relay.transmit().isPresent())
                .filter(relay -> relay.shards().stream().anyMatch(shards::contains))
                .toList();
    }

    private boolean accepts(ClusterMember relay, List<String> shards) {
        Optional<String> refusal =
                readiness.refusal(relay.id(), relay.transmit().orElseThrow(), shards);
        if (refusal.isEmpty()) {
            refusals.remove(relay.id());
        } else if (!refusal.get().equals(refusals.put(relay.id(), refusal.get()))) {
            LOG.warn(
                    "relay not used: relay={} shards=\"{}\" effect=\"another relay or this node reads them\" reason=\"{}\"",
                    relay.id(),
                    shards,
                    refusal.get());
        }
        return refusal.isEmpty();
    }
}
