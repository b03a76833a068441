/** Masks: values that messages have in place of those of rows. */
package io.tributary.sink.mask;
