package io.tributary.sink;

import io.tributary.common.value.TableName;
import java.util.List;

/**
 * How far the rows of a snapshot are sent.
 *
 * @param table the last one of which rows were sent; those before it, by their names, are finished
 * @param key of its last row that was sent, as literals; empty if the table has no key that gives an order
 * @param tableRows the number of its rows that were sent
 * @param digest of these rows, if there is no key: CRC-32 of their bytes as they were read; otherwise 0
 * @param rows the number of rows of all tables that were sent
 */
public record CopyPlace(TableName table, List<String> key, long tableRows, long digest, long rows) {
    /** Copies the list. */
    public CopyPlace {
        key = List.copyOf(key);
    }
}
