/**
 * The replay of the output's transactions onto a target whose tables were copied without locks: rows overwrite what is in their way, and each
 * update is replayed as DELETE of the image before and WRITE of the image after. From the end of the replay on the target is exact.
 *
 * <p>{@link io.tributary.seed.replay.ReplayInput} reads the stream in the caller's thread and assembles transactions of {@link
 * io.tributary.replay.stream.TransactionRows}. {@link io.tributary.seed.replay.ReplayDispatch} passes them to several {@link
 * io.tributary.seed.replay.ReplaySession}s by their logical clock. A statement (DDL) and a transaction that is too large to be held run alone,
 * by {@link io.tributary.seed.replay.SerialReplay}.
 */
package io.tributary.seed.replay;
