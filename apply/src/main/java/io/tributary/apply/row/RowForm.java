package io.tributary.apply.row;

/** Makes statements of the rows of a transaction. For one session. */
public interface RowForm {
    /**
     * Adds the statements for some events: table maps and rows events as {@link io.tributary.replay.stream.TransactionRows} makes them.
     *
     * @throws io.tributary.common.error.TributaryException TARGET_UNFIT, REPLAY_FAILED
     */
    void add(StatementPacket packet, byte[] events);
}
