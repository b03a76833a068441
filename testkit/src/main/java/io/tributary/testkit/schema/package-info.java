/** Models of tables whose columns change: rows as maps from names to values, and what statements make of them. */
package io.tributary.testkit.schema;
