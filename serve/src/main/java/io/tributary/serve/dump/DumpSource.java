package io.tributary.serve.dump;

import io.tributary.binlog.ReadableFiles;
import io.tributary.common.pipeline.Clock;

/**
 * The state that all dumps of a node share.
 *
 * @param gate up to where readers that are not semi-sync may read
 */
public record DumpSource(ReadableFiles files, SemiSyncGate gate, DumpConfig config, Clock clock) {}
