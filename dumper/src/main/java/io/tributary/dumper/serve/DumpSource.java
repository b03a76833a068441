package io.tributary.dumper.serve;

import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.ServedFiles;

/**
 * What all dumps of a node have in common.
 *
 * @param gate how far readers may read that are not semi-sync
 */
record DumpSource(ServedFiles files, SemiSyncGate gate, DumpConfig config, Clock clock) {}
