/** The command line: {@code tributary start | check | status | restore}. */
package io.tributary.node.command;
