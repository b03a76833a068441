/**
 * What a node knows about its cluster: the members, the leader of the Dumpers and its epoch, and whether a leader may still act. This
 * package has no network code; the coordinators are in {@code node}, the copying of files is in {@code dumper}.
 *
 * <p>Why an acknowledged cut is never lost: it is in the files of {@link Acknowledgement#copies} Dumpers. A candidate in an election stops
 * copying before it shows its {@link LogPosition}, and copies again only under the epoch that the election gives. Any
 * {@link Quorum#election} Dumpers include at least one with those copies, and the candidate with the longest log wins.
 */
package io.tributary.common.cluster;
