/** The command line {@code tributary}: one class for each command. Their access to a node is in {@code client}. */
package io.tributary.node.command;
