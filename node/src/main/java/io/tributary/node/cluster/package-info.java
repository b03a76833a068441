/**
 * Coordination of the nodes of a cluster (docs/cluster.md): which members exist, which Dumper is leader and under which epoch, which Task does
 * which work. No data and no positions are kept here: those are in the binlog. Only a candidate publishes its position in an ephemeral node, for
 * one election.
 *
 * <pre>
 *   identity                 the cluster's name and the UUID of its GTIDs, written once
 *   members/NODE             ephemeral: roles and addresses
 *   epoch                    of the newest leader; whether its term is over; whether nothing was ever acknowledged
 *   electors                 the voters, and how many of them have each acknowledged cut; from both follows how many candidates an election needs
 *   leader                   ephemeral: name and epoch of the leader
 *   candidates/NODE          ephemeral: a position, while there is no leader
 *   claims/WHAT              ephemeral: which Task runs the pipeline, which node relays which shards
 *   move                     an operator's request for another leader
 *   pulse                    written by the leader to prove that it leads
 * </pre>
 */
package io.tributary.node.cluster;
