/** A reader that stays on whatever happens: it reconnects, keeps what it was served, and tells when new transactions came. */
package io.tributary.faults.reader;
