/** The commands that make and compare replicas: seed and verify. */
package io.tributary.node.command.seed;
