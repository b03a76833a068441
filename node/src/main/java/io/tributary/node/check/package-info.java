/**
 * The checks of {@code tributary check}: whether the shards can be read, addresses that are in use, and over the tables of all shards
 * members of a logical table that differ, and keys that will collide.
 */
package io.tributary.node.check;
