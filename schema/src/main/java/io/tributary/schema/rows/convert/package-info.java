/** Conversions of stored column values from one type to another, byte by byte, as ALTER TABLE of MySQL and MariaDB does them. */
package io.tributary.schema.rows.convert;
