/** The values that stages pass to each other: tokens, payload, chunks and cuts. They are immutable unless documented otherwise. */
package io.tributary.common.value;
