package io.tributary.node.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Choice of relays among the members of the cluster. */
class RelayMembersTest {
    private static final List<String> SHARDS = List.of("s1", "s2", "s3");
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final RelaysConfig NONE = new RelaysConfig(Map.of());

    private final List<ClusterMember> members = new ArrayList<>();
    private final Set<String> silent = new HashSet<>();
    private final List<String> asked = new ArrayList<>();
    private long nanos;
    private final RelayMembers relays = new RelayMembers(() -> List.copyOf(members), this::refusal, LEASE, () -> nanos);

    private Optional<String> refusal(String relay, HostPort address, Collection<String> shards) {
        asked.add(relay + shards);
        return silent.contains(relay) ? Optional.of("relay " + relay + " does not answer") : Optional.empty();
    }

    private void joins(String id, String... shards) {
        members.add(new ClusterMember(
                id,
                Set.of(MemberRole.RELAY),
                new ClusterMember.Addresses(
                        Optional.of(new HostPort("host-" + id, 1)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Set.of(shards),
                0));
    }

    private Map<String, RelayConfig> choice(RelaysConfig configured) {
        return relays.choose(configured, SHARDS).relays();
    }

    private static RelayConfig reads(String id, String... shards) {
        return new RelayConfig(new HostPort("host-" + id, 1), List.of(shards));
    }

    @Test
    void usesRelaysThatOfferItsShards() {
        joins("a", "s2", "s1", "elsewhere");
        joins("b", "elsewhere");
        assertEquals(Map.of("a", reads("a", "s1", "s2")), choice(NONE));
    }

    @Test
    void aRelayThatDoesNotAnswerIsReplacedByAnotherWithTheSameShards() {
        joins("a", "s1", "s2");
        joins("b", "s1", "s2");
        joins("c", "s1", "s2", "s3");
        assertEquals(Map.of("a", reads("a", "s1", "s2"), "c", reads("c", "s3")), choice(NONE));
        silent.add("a");
        assertEquals(Map.of("b", reads("b", "s1", "s2"), "c", reads("c", "s3")), choice(NONE));
        silent.addAll(List.of("b", "c"));
        assertTrue(choice(NONE).isEmpty(), "the Task reads all shards itself");
    }

    private boolean reasonOfLoss(RelaysConfig configured, Duration later, long bytesOfA) {
        nanos += later.toNanos();
        return relays.reasonOfLoss(configured, Map.of("a", bytesOfA, "b", nanos))
                .isPresent();
    }

    @Test
    void aRelayThatIsNoMemberAndSilentForALeaseIsLost() {
        joins("a", "s1");
        joins("b", "s2");
        assertFalse(reasonOfLoss(NONE, Duration.ZERO, 5));
        assertFalse(reasonOfLoss(NONE, LEASE, 5), "a member may be silent: a shard is unreachable");
        members.clear();
        assertFalse(reasonOfLoss(NONE, Duration.ZERO, 6), "both are no members any more, but still send");
        assertFalse(reasonOfLoss(NONE, LEASE.minusNanos(1), 6));
        assertTrue(reasonOfLoss(NONE, Duration.ofNanos(1), 6));
        RelaysConfig configured = new RelaysConfig(Map.of("a", reads("a", "s1")));
        assertFalse(reasonOfLoss(configured, LEASE, 6), "the configuration names it as the only reader");
    }

    @Test
    void doesNotChangeConfiguredRelays() {
        joins("a", "s1", "s2");
        RelaysConfig configured = new RelaysConfig(Map.of("left", reads("left", "s1")));
        assertEquals(Map.of("left", reads("left", "s1"), "a", reads("a", "s2")), choice(configured));
    }

    @Test
    void aShardThatIsReadHereMovesToANewRelayThatAcceptsIt() {
        assertEquals(Optional.empty(), relays.reasonToMove(NONE, SHARDS, SHARDS));
        joins("a", "s1", "s2");
        silent.add("a");
        assertEquals(Optional.empty(), relays.reasonToMove(NONE, SHARDS, SHARDS));
        silent.clear();
        assertEquals(Optional.empty(), relays.reasonToMove(NONE, SHARDS, SHARDS), "asked only every 3 s");
        assertEquals(1, asked.size());
        nanos += Duration.ofSeconds(4).toNanos();
        assertTrue(relays.reasonToMove(NONE, SHARDS, SHARDS).isPresent());
        nanos += Duration.ofSeconds(4).toNanos();
        assertEquals(
                Optional.empty(),
                relays.reasonToMove(NONE, SHARDS, List.of("s3")),
                "all shards that it offers are read there");
        RelaysConfig configured = new RelaysConfig(Map.of("a", reads("a", "s1")));
        nanos += Duration.ofSeconds(4).toNanos();
        assertEquals(
                Optional.empty(),
                relays.reasonToMove(configured, SHARDS, List.of("s2", "s3")),
                "the configuration defines the shards of this relay");
    }
}
