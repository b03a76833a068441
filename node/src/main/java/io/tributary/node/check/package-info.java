/** What `tributary check` finds out about the tables of all shards together: members of a logical table that differ, and keys that will collide. */
package io.tributary.node.check;
