/**
 * The status of a node as records: each part of a node returns its own, and {@code StatusFacts} renders them for /status, SHOW TRIBUTARY and the
 * commands.
 */
package io.tributary.node.status;
