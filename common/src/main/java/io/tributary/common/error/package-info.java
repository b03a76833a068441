/** Failures that name themselves: one exception, one list of codes. */
package io.tributary.common.error;
