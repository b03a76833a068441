/** What strangers and readers do to a node that they want to end, bounded in count and time, and what a node takes meanwhile. */
package io.tributary.system.attack;
