/**
 * Finds the transactions of the served binlog that changed rows last.
 *
 * <p>{@link io.tributary.seed.change.ChangeSearch} reads the binlog files of a node one after another, the newest one first, each from its beginning to its
 * end. In the first file that has a change of a row, its last change there is the last one of all. So the search ends as soon as it has found all rows.
 */
package io.tributary.seed.change;
