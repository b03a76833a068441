package io.tributary.node.admin;

import java.time.Duration;

/** Requests to add or remove shards of a node. One request runs at a time; the admin endpoint answers other requests meanwhile. */
public interface ShardRequests {
    /** The kind of a request. */
    enum Verb {
        ADD,
        REMOVE
    }

    /** The progress of a request. */
    enum Progress {
        RUNNING,
        DONE,
        FAILED
    }

    /**
     * The newest request.
     *
     * @param number counts the requests since the node's start; 0 when there was none
     * @param progress whether it runs, is done, or has failed
     * @param message the current step, the result, or the line of the failure
     */
    record State(long number, Progress progress, String message) {
        /** Before the first request. */
        public static final State NONE = new State(0, Progress.DONE, "no request since the node's start");
    }

    /** A node that reads no shards. */
    ShardRequests NO_SHARDS = new ShardRequests() {
        @Override
        public State submit(Verb verb, String shard, Duration timeout) {
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
     * @param timeout how long it may wait for the shard before it fails
     * @return the state of the request, or of the one that is running
     */
    State submit(Verb verb, String shard, Duration timeout);

    /** The current state of the newest request; any thread. */
    State state();
}
