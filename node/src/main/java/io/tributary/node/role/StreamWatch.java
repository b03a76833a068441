package io.tributary.node.role;

/** Observer of the streams that a Task opens. */
interface StreamWatch {
    /** Observer without a cluster. */
    StreamWatch NONE = new StreamWatch() {
        @Override
        public long newestLeader() {
            return 0;
        }

        @Override
        public void opens(long leader) {}

        @Override
        public void ended() {}
    };

    /**
     * Reads the newest epoch that any leader had; 0 = none, as without a cluster. Any thread; may block.
     *
     * @throws io.tributary.common.error.TributaryException CLUSTER_UNREACHABLE
     */
    long newestLeader();

    /**
     * A stream is about to be opened for a leader; any thread.
     *
     * @param leader its epoch
     * @throws io.tributary.common.error.TributaryException EPOCH_OVER when a newer leader is known
     */
    void opens(long leader);

    /** The newest stream has ended. */
    void ended();
}
