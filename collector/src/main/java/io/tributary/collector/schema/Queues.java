package io.tributary.collector.schema;

/** The state of the shards' queues that a decision about a statement needs. */
public interface Queues {
    /** For an order in which no shard can wait for another one: a held shard holds all others. */
    Queues HOLD_EACH_OTHER = new Queues() {
        @Override
        public boolean isAt(int shard, String partId) {
            return false;
        }

        @Override
        public boolean waitsFor(int shard, int other) {
            return true;
        }
    };

    /** Whether a statement with this part is the next one that the shard has to process. */
    boolean isAt(int shard, String partId);

    /** Whether a shard cannot continue before another one has. */
    boolean waitsFor(int shard, int other);
}
