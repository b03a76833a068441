/** The command line: {@code tributary start | check | status | restore | xa list | shard skip}. */
package io.tributary.node.command;
