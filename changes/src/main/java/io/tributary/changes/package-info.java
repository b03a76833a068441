/**
 * A binlog as whole transactions of typed rows: {@link io.tributary.changes.ChangeInput} reads the events and finds the definition of each table,
 * {@link io.tributary.changes.RowChange} finds the values of a row, {@link io.tributary.changes.ChangeColumn} decodes them from the bytes of the event.
 */
package io.tributary.changes;
