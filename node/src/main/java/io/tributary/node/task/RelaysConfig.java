package io.tributary.node.task;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The relays that read shards for a Task, a standalone node or another relay.
 *
 * @param relays by name
 */
public record RelaysConfig(
        @Key(
                value = "relay",
                about = "Relays that read shards for this node; without them the node reads the shards itself.")
        Map<String, RelayConfig> relays) {
    /** Checks that each shard is read by one relay only. */
    public RelaysConfig {
        Map<String, String> relayOf = new HashMap<>();
        relays.forEach((name, relay) -> {
            if (relay.shards().isEmpty()) {
                throw new IllegalArgumentException("relay." + name + ".shards: expected at least one shard");
            }
            for (String shard : relay.shards()) {
                String other = relayOf.put(shard, name);
                if (other != null) {
                    throw new IllegalArgumentException("relay." + name + ".shards: expected shard " + shard
                            + " in one relay only, found it also in relay." + other + ".shards");
                }
            }
        });
    }

    /**
     * Checks that all shards of relays are shards of this node.
     *
     * @throws IllegalArgumentException with the name of one that is not
     */
    void requireAmong(Set<String> configured) {
        relays.forEach((name, relay) -> relay.shards().forEach(shard -> {
            if (!configured.contains(shard)) {
                throw new IllegalArgumentException("relay." + name + ".shards: expected some of the shards "
                        + configured + " that are configured under shard.*, found " + shard);
            }
        }));
    }

    /** The relay that reads a shard; empty if none does. */
    Optional<String> of(String shard) {
        return relays.entrySet().stream()
                .filter(relay -> relay.getValue().shards().contains(shard))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether both configurations read these shards in the same way: by the same relays at the same addresses, or by none. */
    boolean readsAlike(Collection<String> shards, RelaysConfig others) {
        return shards.stream()
                .allMatch(shard -> address(shard).equals(others.address(shard))
                        && of(shard).equals(others.of(shard)));
    }

    private Optional<HostPort> address(String shard) {
        return of(shard).map(name -> relays.get(name).address());
    }
}
