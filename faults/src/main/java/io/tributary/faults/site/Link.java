package io.tributary.faults.site;

/** A connection of a test cluster that a fault can interrupt. */
public enum Link {
    /** From all clients of the first shard, which read it or write rounds on it, to the shard. */
    SHARD("the first shard and its clients"),
    /** From the Task to its relay. */
    RELAY("Task and relay"),
    /** From the Dumper to the Task that runs the pipeline. */
    TASK("Dumper and Task"),
    /** From the followers to the Dumper that leads. */
    FOLLOWERS("leader and followers"),
    /** From the Dumper that leads to ZooKeeper. */
    ZOOKEEPER("leader and ZooKeeper"),
    /** From readers to the Dumper. */
    SERVE("readers and Dumper"),
    /** From the Dumper to the object store. */
    STORE("Dumper and object store");

    private final String words;

    Link(String words) {
        this.words = words;
    }

    /** The two ends, for sentences. */
    public String words() {
        return words;
    }
}
