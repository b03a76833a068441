package io.tributary.node.log;

import java.util.logging.LogManager;

/**
 * The log manager of a node: when the JVM is shut down, its handlers stay open. The usual one closes them in a shutdown hook, which runs beside the one that
 * stops the node, so that what the node logs while it stops would be lost.
 */
public final class NodeLogs extends LogManager {
    private volatile boolean isConfigured;

    /** Loggers and handlers are as they are to stay. */
    void configured() {
        isConfigured = true;
    }

    @Override
    public void reset() {
        if (!isConfigured) {
            super.reset();
        }
    }
}
