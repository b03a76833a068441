/**
 * Conversion of row events to another shape: {@link io.tributary.schema.rows.ReshapePlan} compares two table maps, and {@link
 * io.tributary.schema.rows.RowReshaper} rewrites rows events so that they match the second, as ALTER TABLE would rewrite the rows.
 * {@code convert} converts the values.
 */
package io.tributary.schema.rows;
