package io.tributary.dumper;

/**
 * How far the binlog may be read: behind the last durable cut.
 *
 * @param file the file that is being written; all before it are finished and may be read whole
 * @param offset bytes of it that may be read; 64 bits, also where log_pos has wrapped
 * @param gno number of the newest transaction before it; 0 for none
 * @param cut number of that cut
 */
public record DurableEnd(BinlogFile file, long offset, long gno, long cut) {}
