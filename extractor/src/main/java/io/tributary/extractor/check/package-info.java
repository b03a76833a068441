/** Checks of shards before and beside a start: settings, permissions, tables, other writers of rounds. */
package io.tributary.extractor.check;
