package io.tributary.common.cluster;

/**
 * Who leads the Dumpers, and under which epoch: no two leaders ever have the same.
 *
 * @param node the {@link Member#id}
 * @param epoch 1 up, higher with each new leader; 0 only where there is no cluster
 */
public record Leader(String node, long epoch) {}
