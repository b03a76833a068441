/** Shared parts of the simulations of the order. */
package io.tributary.testkit.order;
