/** Compares definitions: whether two of them allow the same rows under the same constraints. */
package io.tributary.schema.compare;
