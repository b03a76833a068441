/** Reads statements into definitions of tables, as a server would understand them. */
package io.tributary.schema.read;
