/** Stages, the bounded links between them, and the runner that owns their threads. */
package io.tributary.common.pipeline;
