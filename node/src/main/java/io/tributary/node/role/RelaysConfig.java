package io.tributary.node.role;

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
        @Key(value = "relay", about = "Relays that read shards for this node, which it would read itself otherwise.")
        Map<String, RelayConfig> relays) {
    /** Every shard comes from one place only. */
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
                            + " once, it also stands in relay." + other + ".shards");
                }
            }
        });
    }

    /**
     * Refuses a relay's shard that is no shard of this node.
     *
     * @throws IllegalArgumentException naming it
     */
    void requireAmong(Set<String> configured) {
        relays.forEach((name, relay) -> relay.shards().forEach(shard -> {
            if (!configured.contains(shard)) {
                throw new IllegalArgumentException("relay." + name + ".shards: expected some of the shards "
                        + configured + " that stand under shard.*, found " + shard);
            }
        }));
    }

    /** The relay that reads a shard. */
    Optional<String> of(String shard) {
        return relays.entrySet().stream()
                .filter(relay -> relay.getValue().shards().contains(shard))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether these shards are read where others say too: by the same relays at the same addresses, or by none. */
    boolean readsAlike(Collection<String> shards, RelaysConfig others) {
        return shards.stream()
                .allMatch(shard -> address(shard).equals(others.address(shard))
                        && of(shard).equals(others.of(shard)));
    }

    private Optional<HostPort> address(String shard) {
        return of(shard).map(name -> relays.get(name).address());
    }
}
