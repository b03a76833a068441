/** Values of rows as texts: as a server returns them for a query, and as a rows event has them. */
package io.tributary.replay.row;
