/** The scanner for SQL texts: tokens with their offsets in the text. It is independent of statements. */
package io.tributary.schema.sql;
