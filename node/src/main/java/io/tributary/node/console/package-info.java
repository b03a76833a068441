/**
 * The web console: {@code ConsoleState} makes one JSON document from the status and the metrics of the node, bounded for any number of shards, tables
 * and transactions, in a form for viewers without login and in one for operators. {@code EventStreams} sends it to browsers as server-sent events.
 * {@code ConsoleFiles} holds the static files, which are resources of this package. {@code node.admin} serves all of it.
 *
 * <pre>
 *   status, metrics, transactions -> ConsoleState -> JSON -> EventStreams -> browser
 *                                 -> ConsoleHistory (totals of the last minutes)
 * </pre>
 */
package io.tributary.node.console;
