/** A TCP proxy on loopback that breaks connections in all the ways in which networks do. */
package io.tributary.testkit.proxy;
