/**
 * Where the nodes of a cluster meet (docs/cluster.md): who is there, who leads the Dumpers and under which epoch, which Task does what.
 * No data and no positions are kept: those are in the binlog. A candidate shows its position in an ephemeral node, for one election.
 *
 * <pre>
 *   identity                 which cluster this is: its name and the UUID of its GTIDs, written once
 *   members/NODE             ephemeral: roles and addresses
 *   epoch                    the newest leader's; whether it is over; whether nothing was ever acknowledged
 *   electors                 whose acknowledgements count, and how many have each acknowledged cut: so many have to stand that one of them has it
 *   leader                   ephemeral: who, under which epoch
 *   candidates/NODE          ephemeral: a position, while there is no leader
 *   claims/WHAT              ephemeral: which Task runs the pipeline, who relays which shards
 *   move                     an operator's wish that another leads
 *   pulse                    written by the leader to prove itself
 * </pre>
 */
package io.tributary.node.cluster;
