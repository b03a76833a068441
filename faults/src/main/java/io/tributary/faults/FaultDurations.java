package io.tributary.faults;

import java.time.Duration;

/**
 * The durations of faults that end after a fixed time.
 *
 * @param usual of a partition or of a frozen process
 * @param lease {@code cluster.lease}; a fault that must cause an election lasts two leases, or {@code usual} if that is longer
 * @param zookeeperDown how long ZooKeeper is down
 * @param storeAway how long the object store cannot be reached
 */
public record FaultDurations(Duration usual, Duration lease, Duration zookeeperDown, Duration storeAway) {
    Duration twoLeases() {
        Duration two = lease.multipliedBy(2);
        return two.compareTo(usual) > 0 ? two : usual;
    }
}
