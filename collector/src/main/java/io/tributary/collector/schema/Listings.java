package io.tributary.collector.schema;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import java.util.HashMap;
import java.util.Map;

/**
 * Tracks whether the members of all shards are known. They are known if each shard's list of tables was received and everything that the shard had
 * executed by then was received too, so that every statement between the processed position and the list is known. For one thread.
 */
final class Listings {
    private final Map<Integer, Listing> incomplete = new HashMap<>();

    /** A shard whose list, or part of its log up to the list, is missing. */
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

    /** @param received the GTIDs that need not be received again */
    void expect(int shard, GtidSet received) {
        incomplete.put(shard, new Listing(received));
    }

    void leave(int shard) {
        incomplete.remove(shard);
    }

    /** Whether nothing is missing; called for each token. */
    boolean areComplete() {
        return incomplete.isEmpty();
    }

    boolean isComplete(int shard) {
        return !incomplete.containsKey(shard);
    }

    /** Whether the list itself was received. */
    boolean hasList(int shard) {
        Listing listing = incomplete.get(shard);
        return listing == null || listing.tables != null;
    }

    /** @return whether the shard is complete now */
    boolean received(Token token) {
        Listing listing = incomplete.get(token.shard());
        if (listing == null) {
            return false;
        }
        listing.received.add(token.sid(), token.gno());
        return token.kind() == TokenKind.ROUND && removeIfCovered(token.shard(), listing);
    }

    /** @return whether the shard is complete now */
    boolean listed(int shard, ShardTables tables) {
        Listing listing = incomplete.get(shard);
        if (listing == null) {
            return false;
        }
        listing.tables = tables;
        return removeIfCovered(shard, listing);
    }

    private boolean removeIfCovered(int shard, Listing listing) {
        boolean isCovered = listing.isCovered();
        if (isCovered) {
            incomplete.remove(shard);
        }
        return isCovered;
    }
}
