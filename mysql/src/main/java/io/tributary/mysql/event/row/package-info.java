/** Decoding of rows events into values, for tools and tests; the pipeline copies rows as bytes. */
package io.tributary.mysql.event.row;
