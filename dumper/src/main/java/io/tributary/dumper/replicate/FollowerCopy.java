package io.tributary.dumper.replicate;

import io.tributary.dumper.BinlogPlace;

/**
 * A follower that copies now.
 *
 * @param member its name
 * @param copy which copy of the binlog it has
 * @param place up to where it has it on its disk; {@link BinlogPlace#NONE} before the copying begins
 */
public record FollowerCopy(String member, String copy, BinlogPlace place) {}
