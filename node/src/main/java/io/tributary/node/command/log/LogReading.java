package io.tributary.node.command.log;

/** A binlog that is read for its selected changes. For one thread. */
interface LogReading {
    /**
     * Reads until the end of the selection, or until there are enough changes.
     *
     * @throws io.tributary.common.error.TributaryException COMMAND_CANCELLED when the process is to end; and those of the binlog and of the output
     */
    void run();

    /** How far it is; also after {@link #run} has failed. */
    LogPlace place();
}
