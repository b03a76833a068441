package io.tributary.binlog.file;

/**
 * The end of the binlog that may be read, or that is durable on this disk: directly after a cut.
 *
 * @param file the file of the position; all files before it are finished
 * @param offset bytes of that file before the position; 64 bits, also where log_pos has wrapped
 * @param gno number of the newest transaction before the position; 0 for none
 * @param cut number of that cut
 */
public record BinlogPosition(BinlogFile file, long offset, long gno, long cut) {}
