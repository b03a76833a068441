/** The parts of a Dumper: writing or following, readers, backup; and the states of a Dumper in a cluster. */
package io.tributary.node.dumper;
