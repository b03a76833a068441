/** A reader that always reconnects, stores the bytes that it receives, and reports when new transactions arrive. */
package io.tributary.faults.reader;
