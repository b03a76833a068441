/** The faults, a class each; {@link io.tributary.faults.Catalogue} lists them. */
package io.tributary.faults.kind;
