/** Writes definitions as CREATE TABLE, and as the body of a table map event. */
package io.tributary.schema.write;
