/** The admin endpoint: metrics for Prometheus, the node's status for people and programs, its health, and commands of operators. */
package io.tributary.node.admin;
