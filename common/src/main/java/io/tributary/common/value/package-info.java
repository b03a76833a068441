/** What stages hand to each other: tokens, payload, chunks and cuts. Values are immutable unless they say otherwise. */
package io.tributary.common.value;
