/** {@code bin/bench journal}: the size of the journal of table definitions, and the time of a start from it. */
package io.tributary.bench.journal;
