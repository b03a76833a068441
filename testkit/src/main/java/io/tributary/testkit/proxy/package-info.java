/** A TCP proxy on loopback that interrupts connections in the ways in which networks do. */
package io.tributary.testkit.proxy;
