/** Says whether two definitions hold the same rows under the same constraints. */
package io.tributary.schema.compare;
