/**
 * The schemas and tables that a reader gets. A transaction with dropped events keeps its GTID, BEGIN and XID, so that GTID sets and positions
 * are the same for all readers.
 */
package io.tributary.serve.filter;
