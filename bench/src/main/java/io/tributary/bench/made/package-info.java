/** The whole node over shards whose transactions are made while they are read: large ones, and many tables. */
package io.tributary.bench.made;
