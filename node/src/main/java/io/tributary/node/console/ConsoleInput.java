package io.tributary.node.console;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.node.status.NodeStatus;
import java.util.Optional;

/**
 * What the node knows of itself at one moment.
 *
 * @param transactions the distributed transactions that are not emitted; empty if this node does not order transactions
 */
public record ConsoleInput(
        NodeStatus status, SampleTable samples, Optional<OrderSnapshot> transactions, CertificateState certificate) {}
