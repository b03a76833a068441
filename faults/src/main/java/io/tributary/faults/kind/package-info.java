/** The faults, one class each; {@link io.tributary.faults.FaultList} lists them. */
package io.tributary.faults.kind;
