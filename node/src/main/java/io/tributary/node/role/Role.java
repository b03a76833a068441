package io.tributary.node.role;

import io.tributary.common.config.Config;
import io.tributary.node.admin.NodeView;

/** What a node does, from its start to its end. */
interface Role extends NodeView, AutoCloseable {
    /**
     * Works until the node is to stop; everything that it made is closed when it returns.
     *
     * @throws io.tributary.common.error.TributaryException what ended the node
     */
    void run() throws InterruptedException;

    /** Goes on by other keys, of those that a running node takes; any thread. */
    default void take(Config newer) {}

    /** Gives back what the role holds beyond its pipelines. */
    @Override
    void close();
}
