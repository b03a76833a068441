/** Dumps: readers of one event loop, the files that they read, and what limits and observes them. */
package io.tributary.serve.dump;
