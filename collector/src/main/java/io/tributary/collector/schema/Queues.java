package io.tributary.collector.schema;

/** What a decision about a statement has to know of the shards' queues. */
public interface Queues {
    /** An order in which no shard can be waited for: a shard that is held holds all others. */
    Queues HOLD_EACH_OTHER = new Queues() {
        @Override
        public boolean standsAt(int shard, String partId) {
            return false;
        }

        @Override
        public boolean waitsFor(int shard, int other) {
            return true;
        }
    };

    /** Whether a statement with this part is what the shard has to process next. */
    boolean standsAt(int shard, String partId);

    /** Whether a shard cannot go on before another one has. */
    boolean waitsFor(int shard, int other);
}
