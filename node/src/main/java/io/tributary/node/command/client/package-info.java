/** Access of commands to a node: the configuration file, the admin endpoint of a running node, and the binlog of a stopped one. */
package io.tributary.node.command.client;
