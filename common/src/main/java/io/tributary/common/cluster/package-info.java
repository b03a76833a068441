/**
 * What the nodes of a cluster know of each other: who is there, who leads the Dumpers and under which epoch, and whether a leader may
 * still act. Nothing here talks to anybody; the coordinators are in {@code node}, the copying of files in {@code dumper}.
 *
 * <p>Why an acknowledged cut is never lost: it is in the files of {@link Acknowledgement#copies} Dumpers. A Dumper that stands for
 * election has stopped copying before it shows its {@link LogPosition}, and copies again only under the epoch that the election
 * brings. {@link Quorum#election} of them always have one in common with those copies, and the longest log wins.
 */
package io.tributary.common.cluster;
