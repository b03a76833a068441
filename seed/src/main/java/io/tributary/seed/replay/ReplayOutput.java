package io.tributary.seed.replay;

import io.tributary.common.value.TableName;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.StreamStatement;
import java.util.Collection;
import java.util.Set;

/** Receives what a replay applies, in the order of the stream. For one thread. */
interface ReplayOutput {
    /** Whether what applies it is older than 8.0. */
    boolean isOldTarget();

    /** Waits until everything received so far is applied. */
    void drain();

    /** A whole transaction, which may be empty. */
    void submit(ReplayTransaction transaction);

    /** Begins a transaction of which {@link #piece more} follows, with what was read of it. */
    void begin(ReplayTransaction transaction);

    /** The next events of the transaction that has begun. */
    void piece(ReplayTransaction transaction, byte[] events);

    /** The end of the transaction that has begun. */
    void commit(ReplayTransaction transaction);

    /** A statement that is executed, as a transaction of its own. */
    void run(StreamStatement statement, ReplayTransaction transaction);

    /** A statement that is executed, and after which rows of its transaction follow. */
    void beginWith(StreamStatement statement, ReplayTransaction transaction);

    /** A statement of the stream, before what is done with it. */
    void seen(StreamStatement statement, ReplayTransaction transaction);

    /** Removes tables that must be copied again. */
    void drop(Set<TableName> tables);

    /** The tables that a DROP DATABASE in a transaction of the stream would remove. */
    Collection<TableName> tablesOf(String schema, long transaction);
}
