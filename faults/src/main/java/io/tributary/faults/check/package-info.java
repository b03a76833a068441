/** Checks of a test cluster without load, and their results. */
package io.tributary.faults.check;
