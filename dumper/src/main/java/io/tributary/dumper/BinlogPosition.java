package io.tributary.dumper;

/**
 * How far the binlog may be read, or is durable on this disk: behind a cut.
 *
 * @param file the last file up to there; all before it are finished
 * @param offset bytes of it; 64 bits, also where log_pos has wrapped
 * @param gno number of the newest transaction before it; 0 for none
 * @param cut number of that cut
 */
public record DurableEnd(BinlogFile file, long offset, long gno, long cut) {}
