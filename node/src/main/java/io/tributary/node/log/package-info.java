/**
 * Logging of a node: lines on stderr, written by the JDK's own logging through SLF4J. A separate logging library took a sixth of a node's start-up
 * time.
 */
package io.tributary.node.log;
