/** The one scanner for SQL texts: tokens with their places in the text. It knows no statement. */
package io.tributary.schema.sql;
