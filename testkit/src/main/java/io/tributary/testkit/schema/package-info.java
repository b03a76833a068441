/** Models of tables whose columns change: rows as maps from names to values, and how statements change them. */
package io.tributary.testkit.schema;
