package io.tributary.collector.schema;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether the members of all shards are known: each shard's list of tables is there, and all that the shard had executed by then has been
 * received, so that every statement between what is processed and the list is known too. For one thread.
 */
final class Listings {
    private final Map<Integer, Listing> incomplete = new HashMap<>();

    /** A shard of which something is missing. */
    private static final class Listing {
        private final GtidSet.Builder received;
        private ShardTables tables;

        Listing(GtidSet received) {
            this.received = received.toBuilder();
        }

        boolean isCovered() {
            return tables != null && received.build().containsAll(tables.executed());
        }
    }

    /** @param received what need not be received again */
    void expect(int shard, GtidSet received) {
        incomplete.put(shard, new Listing(received));
    }

    void leave(int shard) {
        incomplete.remove(shard);
    }

    /** Whether there is nothing to wait for; asked for each token. */
    boolean areComplete() {
        return incomplete.isEmpty();
    }

    boolean isComplete(int shard) {
        return !incomplete.containsKey(shard);
    }

    /** Whether the list itself has come. */
    boolean hasList(int shard) {
        Listing listing = incomplete.get(shard);
        return listing == null || listing.tables != null;
    }

    /** @return whether the shard is complete with it */
    boolean received(Token token) {
        Listing listing = incomplete.get(token.shard());
        if (listing == null) {
            return false;
        }
        listing.received.add(token.sid(), token.gno());
        return token.kind() == TokenKind.ROUND && settle(token.shard(), listing);
    }

    /** @return whether the shard is complete with it */
    boolean listed(int shard, ShardTables tables) {
        Listing listing = incomplete.get(shard);
        if (listing == null) {
            return false;
        }
        listing.tables = tables;
        return settle(shard, listing);
    }

    private boolean settle(int shard, Listing listing) {
        boolean isCovered = listing.isCovered();
        if (isCovered) {
            incomplete.remove(shard);
        }
        return isCovered;
    }
}
