/** The two orders of docs/ordering.md: a stream has one of them, chosen by configuration. */
package io.tributary.common.order;
