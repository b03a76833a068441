/** What is measured, and under which names. */
package io.tributary.common.metric;
