/** The commands that show a node's configuration: the values of a file, and how they differ from those of the running node. */
package io.tributary.node.command.config;
