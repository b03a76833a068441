/** The admin endpoint: metrics for Prometheus, the node's status for people and programs, its health. */
package io.tributary.node.admin;
