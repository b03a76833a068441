/**
 * What a node logs: lines on stderr, written by the JDK's own logging behind SLF4J. A logging library beside that one was a sixth of what a node has to do
 * before it starts.
 */
package io.tributary.node.log;
