/** Definitions of tables as values: columns, keys, constraints. They are independent of SQL texts and events. */
package io.tributary.schema.definition;
