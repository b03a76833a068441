/** The vocabulary that all stages share. */
package io.tributary.common;
