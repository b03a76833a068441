/**
 * Which schemas and tables a reader gets. What is left out of a transaction leaves its GTID, BEGIN and XID in place, so that
 * GTID sets and positions hold for every reader alike.
 */
package io.tributary.dumper.filter;
