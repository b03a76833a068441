/** What every role of a node needs: start and stop, retries, the supervisor of a pipeline, timers, failures, and the plan of threads. */
package io.tributary.node.process;
