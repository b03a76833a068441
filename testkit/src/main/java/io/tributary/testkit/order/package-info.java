/** What simulations of the order share. */
package io.tributary.testkit.order;
