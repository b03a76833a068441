package io.tributary.collector;

/** What to do with an ALTER TABLE that adds columns which each shard fills with its own values. */
public enum Approximate {
    /** The statement is written, with a warning: existing rows have other values on the replicas than on some shards. */
    WARN,
    /** The shard of the statement is held. */
    REFUSE
}
