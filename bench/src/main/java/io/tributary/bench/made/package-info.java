/** Benches of the whole node over shards whose transactions are generated while they are read: large transactions, and many tables. */
package io.tributary.bench.made;
