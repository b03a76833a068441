/** The command line {@code tributary}: one class for each command. */
package io.tributary.node.command;
