/**
 * What `tributary check` finds out: what stands against reading the shards, addresses that are in use, and about the tables of all shards
 * together members of a logical table that differ, and keys that will collide.
 */
package io.tributary.node.check;
