package io.tributary.serve.dump;

import io.tributary.common.gtid.GtidSet;
import io.tributary.serve.filter.TableFilter;
import java.util.Optional;

/**
 * What a reader gets from its dump, apart from where it begins.
 *
 * @param readerHas transactions that are not sent; empty for a reader by file and position
 * @param filter the tables that the reader may read
 * @param blocking whether the dump waits for more at the end of the binlog
 */
public record DumpOptions(ReaderFormat format, Optional<GtidSet> readerHas, TableFilter filter, boolean blocking) {}
