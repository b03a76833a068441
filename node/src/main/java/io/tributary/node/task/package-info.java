/** The pipeline of a Task or a relay: readers of shards, order, and shards that are added or removed while it runs. */
package io.tributary.node.task;
