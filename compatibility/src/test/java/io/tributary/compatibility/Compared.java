package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.compare.TwinWorkload;

/** What of a client's reading is compared. */
enum Compared {
    CHANGES("transactions", "the rows of each transaction, DDL, and the order of each row's changes"),
    TABLES("tables", "every row of every table once all is applied"),
    ANSWERS("statements", "the columns or the error of each answer, of some also the rows");

    private final String parts;
    private final String words;

    Compared(String parts, String words) {
        this.parts = parts;
        this.words = words;
    }

    String words() {
        return words;
    }

    /** Whether the client came to the end: two readings that both stop early would be the same. */
    boolean isWhole(Reading reading) {
        return this == ANSWERS ? reading.rows() > 0 : reading.has(TwinWorkload.DONE);
    }

    /** A reading in numbers. */
    String count(Reading reading) {
        String parts = reading.transactions().size() + " " + this.parts;
        if (this == ANSWERS) {
            return parts;
        }
        int ddl = reading.statements().size();
        return parts + ", " + reading.rows() + " rows" + (ddl == 0 ? "" : ", " + ddl + " DDL");
    }
}
