/** Tests of the commands that make and compare replicas. */
package io.tributary.system.seed;
