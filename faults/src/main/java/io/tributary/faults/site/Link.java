package io.tributary.faults.site;

/** A connection of a site that goes through a proxy. */
public enum Link {
    /** From whoever reads the first shard, or writes rounds on it, to it. */
    SHARD("the first shard and whoever reads it"),
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

    /** Who is at its ends. */
    public String words() {
        return words;
    }
}
