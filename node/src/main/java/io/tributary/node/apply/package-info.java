/**
 * The role {@code apply} of a node: runs an applier ({@code io.tributary.apply}) again and again ({@link io.tributary.node.apply.ApplyRuns}), with its
 * configuration, its metrics and its status.
 */
package io.tributary.node.apply;
