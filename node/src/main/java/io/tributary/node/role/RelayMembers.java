package io.tributary.node.role;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
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
 * Which relays read shards for a Task: those that its configuration names, and of the other shards those that a relay among the members of the
 * cluster offers and would read. Of several that offer a shard it is the first by name that answers; a shard that nobody offers is read by the
 * Task itself.
 */
final class RelayMembers {
    private static final Logger LOG = LoggerFactory.getLogger(RelayMembers.class);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(3);

    private final Members members;
    private final Asking asking;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final Map<String, Standstill> streams = new HashMap<>();
    private final Map<String, String> refusals = new HashMap<>(); // those that were told in the log
    private long asked;
    private boolean hasAsked;

    /** Asks a relay whether it would read shards for this node. */
    interface Asking {
        /** Empty when it would; else why not, or that it does not answer. */
        Optional<String> refusal(String relay, HostPort address, Collection<String> shards);
    }

    /**
     * @param lease for so long nothing has come of a relay that is taken for lost
     * @param nanoTime the clock
     */
    RelayMembers(Members members, Asking asking, Duration lease, LongSupplier nanoTime) {
        this.members = members;
        this.asking = asking;
        this.lease = lease;
        this.nanoTime = nanoTime;
    }

    /**
     * Which relays are to read some of these shards; asks those that offer them.
     *
     * @param configured keep the shards that they have
     */
    synchronized RelaysConfig choose(RelaysConfig configured, Collection<String> shards) {
        Map<String, RelayConfig> chosen = new LinkedHashMap<>(configured.relays());
        Set<String> free = new TreeSet<>(shards);
        free.removeIf(shard -> configured.of(shard).isPresent());
        for (Member relay : offering(free)) {
            List<String> its =
                    relay.shards().stream().filter(free::contains).sorted().toList();
            if (!its.isEmpty() && !chosen.containsKey(relay.id()) && wouldRead(relay, its)) {
                chosen.put(relay.id(), new RelayConfig(relay.transmit().orElseThrow(), its));
                its.forEach(free::remove);
            }
        }
        return new RelaysConfig(chosen);
    }

    /**
     * A shard that this node reads itself, though a relay has come that would read it; asks now and then only.
     *
     * @param shards all that are read
     * @param readHere those that this node reads itself
     */
    synchronized Optional<String> isToMove(
            RelaysConfig configured, Collection<String> shards, Collection<String> readHere) {
        boolean isTooEarly = hasAsked && nanoTime.getAsLong() - asked < BETWEEN_QUESTIONS.toNanos();
        if (offering(readHere).isEmpty() || isTooEarly) {
            return Optional.empty();
        }
        RelaysConfig chosen = choose(configured, shards);
        hasAsked = true;
        asked = nanoTime.getAsLong();
        return readHere.stream()
                .filter(shard -> configured.of(shard).isEmpty())
                .filter(shard -> chosen.of(shard).isPresent())
                .findFirst()
                .map(shard -> "relay " + chosen.of(shard).orElseThrow() + " has come, and reads shard " + shard
                        + " from now on");
    }

    /**
     * A relay that was found among the members is none any more, and nothing comes of it: its machine may be gone, or stand still, and its
     * connections be there for longer.
     *
     * @param received how many bytes each relay in use has sent, by name
     */
    synchronized Optional<String> isLost(RelaysConfig configured, Map<String, Long> received) {
        streams.keySet().retainAll(received.keySet());
        Set<String> silent = new TreeSet<>();
        received.forEach((relay, bytes) -> {
            Standstill stream = streams.computeIfAbsent(relay, unused -> new Standstill(nanoTime));
            if (stream.nanos(bytes) >= lease.toNanos()) {
                silent.add(relay);
            }
        });
        return silent.stream()
                .filter(relay -> !configured.relays().containsKey(relay)
                        && members.find(relay).isEmpty())
                .findFirst()
                .map(relay -> "relay " + relay + " is no member of the cluster any more and has sent nothing for "
                        + lease.toMillis() + " ms: another one, or this Task, reads its shards");
    }

    private List<Member> offering(Collection<String> shards) {
        return members.with(MemberRole.RELAY).stream()
                .filter(relay -> relay.transmit().isPresent())
                .filter(relay -> relay.shards().stream().anyMatch(shards::contains))
                .toList();
    }

    private boolean wouldRead(Member relay, List<String> shards) {
        Optional<String> refusal = asking.refusal(relay.id(), relay.transmit().orElseThrow(), shards);
        if (refusal.isEmpty()) {
            refusals.remove(relay.id());
        } else if (!refusal.get().equals(refusals.put(relay.id(), refusal.get()))) {
            LOG.warn("{} | another relay or this node reads {}", refusal.get(), shards);
        }
        return refusal.isEmpty();
    }
}
