/**
 * Logging of a node: lines on stderr or in files that the node rotates, written by the JDK's own logging through SLF4J. A separate logging
 * library took a sixth of a node's start-up time.
 */
package io.tributary.node.log;
