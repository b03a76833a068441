package io.tributary.node.role;

import io.tributary.common.config.Config;
import io.tributary.node.admin.NodeView;

/** The work of a node, from its start to its end. */
public interface Role extends NodeView, AutoCloseable {
    /**
     * Works until the node is stopped; closes everything that it created before it returns.
     *
     * @throws io.tributary.common.error.TributaryException what ended the node
     */
    void run() throws InterruptedException;

    /** Applies changed live keys; any thread. */
    default void update(Config newer) {}

    /** Releases what the role holds besides its pipelines. */
    @Override
    void close();
}
