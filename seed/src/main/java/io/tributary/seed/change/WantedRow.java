package io.tributary.seed.change;

import io.tributary.seed.verify.Finding;
import java.util.Optional;

/** A finding whose last change is searched. For one thread. */
final class WantedRow {
    private final Finding finding;
    /** What newer files have, null for nothing. */
    private KeyChange row;

    private KeyChange statement;
    /** What the file that is read now has so far. */
    private KeyChange rowHere;

    private KeyChange statementHere;

    WantedRow(Finding finding) {
        this.finding = finding;
    }

    boolean isFound() {
        return row != null;
    }

    /** A row event has it. */
    void changed(KeyChange change) {
        rowHere = change;
        statementHere = null;
    }

    /** A statement named its table. */
    void named(KeyChange change) {
        statementHere = change;
    }

    /** The file has ended; its changes count if no newer file has one. */
    void fileRead() {
        if (row == null) {
            row = rowHere;
            statement = statement == null ? statementHere : statement;
        }
        dropFile();
    }

    /** The file was not read to its end: a later change may follow. */
    void dropFile() {
        rowHere = null;
        statementHere = null;
    }

    LastChange result() {
        return new LastChange(finding, Optional.ofNullable(row), Optional.ofNullable(statement));
    }
}
