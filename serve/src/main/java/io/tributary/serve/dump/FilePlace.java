package io.tributary.serve.dump;

import io.tributary.binlog.file.BinlogFile;

/**
 * A place in the binlog up to which a reader has been sent everything.
 *
 * @param offset in the file; an event begins there, or the file ends
 */
public record FilePlace(BinlogFile file, long offset) {}
