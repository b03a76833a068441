/**
 * The command {@code tributary init}: from the addresses of the shards it makes the configuration file of a node and the SQL of the accounts that it needs.
 * {@link io.tributary.node.command.setup.Setup} has the answers, {@link io.tributary.node.command.setup.SetupFiles} the texts.
 */
package io.tributary.node.command.setup;
