package io.tributary.binlog.replicate;

import io.tributary.binlog.file.FileOffset;

/**
 * A follower that is copying now.
 *
 * @param member its name
 * @param copy identity of its copy of the binlog
 * @param place up to where it has the binlog on disk; {@link FileOffset#NONE} before it starts to copy
 */
public record FollowerCopy(String member, String copy, FileOffset place) {}
