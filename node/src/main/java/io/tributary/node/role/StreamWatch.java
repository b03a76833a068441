package io.tributary.node.role;

/** Told by a Task of the streams that it opens. */
interface StreamWatch {
    /** Nobody else is concerned. */
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
     * The newest epoch that a leader was ever given, asked for; 0 = none, as without a cluster. Any thread; may block.
     *
     * @throws io.tributary.common.error.TributaryException CLUSTER_UNREACHABLE
     */
    long newestLeader();

    /**
     * A stream is to be opened for a leader; any thread.
     *
     * @param leader its epoch
     * @throws io.tributary.common.error.TributaryException EPOCH_OVER when a newer leader is known
     */
    void opens(long leader);

    /** The newest stream has ended. */
    void ended();
}
