/** Parses statements to definitions of tables, as a server interprets them. */
package io.tributary.schema.read;
