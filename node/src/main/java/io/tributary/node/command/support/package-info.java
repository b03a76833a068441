/** The command {@code tributary support}: one archive with what is needed to find a problem, without passwords. */
package io.tributary.node.command.support;
