/** Metrics and their names. */
package io.tributary.common.metric;
