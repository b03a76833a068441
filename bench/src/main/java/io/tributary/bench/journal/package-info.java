/** The journal of table definitions: how large it is, and what a start from it takes. */
package io.tributary.bench.journal;
