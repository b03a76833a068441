/** Rows of members whose tables differ from the output: guards, rewriting and reshaping. */
package io.tributary.collector.rows;
