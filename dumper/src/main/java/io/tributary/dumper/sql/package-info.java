/** The small part of SQL's grammar that statements of clients are read with: tokens, a reader of them, and refusals. */
package io.tributary.dumper.sql;
