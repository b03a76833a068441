/** Attacks of clients without a login and of readers on a node, bounded in count and time, and the resources that a node uses meanwhile. */
package io.tributary.system.attack;
