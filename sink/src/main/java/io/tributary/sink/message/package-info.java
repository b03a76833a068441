/** Messages as bytes, and what makes them: a {@link io.tributary.sink.message.MessageFormat} for each protocol. */
package io.tributary.sink.message;
