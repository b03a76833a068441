package io.tributary.node.role;

/**
 * What runs.
 *
 * @param text the program's version
 * @param revision of the source that it was built from
 */
public record NodeVersion(String text, String revision) {}
