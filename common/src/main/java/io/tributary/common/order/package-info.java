/** Which of the two orders of docs/ordering.md a stream has: chosen once, by configuration. */
package io.tributary.common.order;
