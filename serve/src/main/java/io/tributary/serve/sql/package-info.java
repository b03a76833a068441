/** The part of SQL's grammar that is needed to read statements of clients: tokens, a reader of tokens, and refusals. */
package io.tributary.serve.sql;
