package io.tributary.seed.change;

import io.tributary.seed.verify.Finding;
import java.util.Optional;

/**
 * The last change that the search has found for a finding.
 *
 * @param row the newest transaction with a row event of this key; for a finding about a whole table, with any of its rows
 * @param statement the newest statement that named the table or removed its schema, if it is newer than {@code row}
 */
public record LastChange(Finding finding, Optional<KeyChange> row, Optional<KeyChange> statement) {}
