/**
 * What is logged, as lines on stderr. Behind SLF4J, as everywhere; a logging library of its own would be a third of what a node has to do before it
 * starts.
 */
package io.tributary.node.log;
