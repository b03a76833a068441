/**
 * Fault tests: real shards and nodes as child processes under load, one fault at a time, and what has to hold afterwards.
 *
 * <p>A {@link io.tributary.faults.Campaign} opens a {@link io.tributary.faults.site.Site} of a
 * {@link io.tributary.faults.site.Topology}, injects each {@link io.tributary.faults.Fault} of the
 * {@link io.tributary.faults.Catalogue} so many times, has the {@link io.tributary.faults.check.Audit} look at all of it, and writes a
 * {@link io.tributary.faults.report.FaultReport}.
 */
package io.tributary.faults;
