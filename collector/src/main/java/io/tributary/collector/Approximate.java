package io.tributary.collector;

/** What happens to ALTER TABLE that adds columns which each shard fills with values of its own. */
public enum Approximate {
    /** It is written, with a warning: rows that were there have other values on the replicas than on some shards. */
    WARN,
    /** Its shard is held. */
    REFUSE
}
