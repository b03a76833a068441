/**
 * Replicas of this node: the servers that seeding and comparing need, one comparison of a replica with the shards, and its schedule in a running node.
 *
 * <p>{@link io.tributary.node.replica.ReplicaVerification} is what the command {@code tributary verify} and {@link
 * io.tributary.node.replica.VerifySchedule} share.
 */
package io.tributary.node.replica;
