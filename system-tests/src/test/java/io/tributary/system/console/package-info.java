/** The test of the web console in a real browser. */
package io.tributary.system.console;
