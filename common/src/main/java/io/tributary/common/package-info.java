/** The types that all stages share. */
package io.tributary.common;
