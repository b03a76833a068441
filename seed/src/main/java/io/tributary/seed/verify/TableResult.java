package io.tributary.seed.verify;

import io.tributary.common.value.TableName;

/**
 * The result for one table.
 *
 * @param rows compared rows
 * @param chunks compared chunks
 * @param findings their number
 * @param complete false if rows were left out after too many findings, or the table cannot be compared
 */
public record TableResult(TableName table, long rows, long chunks, long findings, boolean complete) {}
