/** Errors: the only exception class and the list of error codes. */
package io.tributary.common.error;
