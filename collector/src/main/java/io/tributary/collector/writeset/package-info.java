/**
 * The dependencies of output transactions by the keys of their rows ({@link io.tributary.schema.keys.WriteSets}): {@link
 * io.tributary.collector.writeset.DependencyTracker} determines last_committed with the newest transaction that has one of the keys.
 */
package io.tributary.collector.writeset;
