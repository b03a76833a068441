package io.tributary.node.admin;

import java.time.Duration;

/** What the admin endpoint asks of a node about its shards: one thing at a time, done while the endpoint answers others. */
public interface ShardRequests {
    /** What is asked. */
    enum Verb {
        ADD,
        REMOVE
    }

    /** How far a request is. */
    enum Progress {
        RUNNING,
        DONE,
        FAILED
    }

    /**
     * The newest request.
     *
     * @param number counts the requests since the node's start; 0 when there was none
     * @param progress how far it is
     * @param message what is done now, what was done, or the line of the failure
     */
    record State(long number, Progress progress, String message) {
        /** Before the first request. */
        public static final State NONE = new State(0, Progress.DONE, "nothing was asked for since the node's start");
    }

    /** A node that reads no shards. */
    ShardRequests NO_SHARDS = new ShardRequests() {
        @Override
        public State ask(Verb verb, String shard, Duration patience) {
            return new State(0, Progress.FAILED, "this node reads no shards: ask the Task");
        }

        @Override
        public State state() {
            return State.NONE;
        }
    };

    /**
     * Begins a request, unless one is running; returns at once, any thread.
     *
     * @param patience how long it may wait for the shard before it is given up
     * @return its state, or that of the one that is running
     */
    State ask(Verb verb, String shard, Duration patience);

    /** The newest request now; any thread. */
    State state();
}
