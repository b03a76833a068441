/**
 * The command {@code tributary top}: a screen in the terminal that is drawn again every second. {@link io.tributary.node.command.top.TopSample} is one reading of
 * /status, {@link io.tributary.node.command.top.TopScreen} makes lines of two of them, {@link io.tributary.node.command.top.TopTerminal} draws them.
 */
package io.tributary.node.command.top;
