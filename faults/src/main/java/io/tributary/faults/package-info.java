/**
 * Fault tests: real shards and nodes as child processes under load, one fault at a time, and checks afterwards.
 *
 * <p>A {@link io.tributary.faults.Campaign} opens a {@link io.tributary.faults.site.TestCluster} of a
 * {@link io.tributary.faults.site.Topology}, injects each {@link io.tributary.faults.kind.Fault} of the
 * {@link io.tributary.faults.FaultList} several times, runs the checks of {@link io.tributary.faults.check.Audit}, and writes a
 * {@link io.tributary.faults.report.FaultReport}.
 */
package io.tributary.faults;
