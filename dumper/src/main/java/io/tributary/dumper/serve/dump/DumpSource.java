package io.tributary.dumper.serve.dump;

import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.ReadableFiles;

/**
 * The state that all dumps of a node share.
 *
 * @param gate up to where readers that are not semi-sync may read
 */
public record DumpSource(ReadableFiles files, SemiSyncGate gate, DumpConfig config, Clock clock) {}
