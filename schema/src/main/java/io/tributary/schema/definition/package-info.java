/** Definitions of tables as values: columns, keys, constraints. They know neither SQL texts nor events. */
package io.tributary.schema.definition;
