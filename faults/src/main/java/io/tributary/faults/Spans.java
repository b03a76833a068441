package io.tributary.faults;

import java.time.Duration;

/**
 * How long faults last that end by themselves.
 *
 * @param usual of a partition, a frozen process
 * @param lease of a leader that is elected; what is to make others elect last twice as long, or the usual time if that is longer
 * @param zookeeperDown how long ZooKeeper is down
 * @param storeAway how long the object store cannot be reached
 */
public record Spans(Duration usual, Duration lease, Duration zookeeperDown, Duration storeAway) {
    Duration twoLeases() {
        Duration two = lease.multipliedBy(2);
        return two.compareTo(usual) > 0 ? two : usual;
    }
}
