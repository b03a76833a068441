package io.tributary.node.reader;

import io.tributary.common.config.Config;
import io.tributary.node.status.StatusPart;

/** A part of a node that reads the binlog of other nodes as a client. Any thread. */
public interface NodeReader extends AutoCloseable {
    /** Its runs. */
    ReaderRuns runs();

    /** Uses changed live keys. If the node that is read or the destination has changed, the run ends, and another one begins. */
    void update(Config newer);

    /** Its status. */
    StatusPart status();

    @Override
    void close();
}
