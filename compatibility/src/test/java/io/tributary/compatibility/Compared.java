package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.compare.TwinWorkload;

/** What of a client's reading is compared. */
enum Compared {
    CHANGES("transactions", "the rows of each transaction, DDL, and the order of each row's changes"),
    TABLES("tables", "every row of every table once all is applied"),
    ANSWERS("statements", "the columns or the error of each answer, of some also the rows"),
    COPY("rows", "every row of every table, as the client copies it before it reads the binlog"),
    COPY_AND_STREAM(
            "changes",
            "under load: each row is copied once, in a state of the position of the copy or of later; then every transaction after that position,"
                    + " once and in order; together they give the rows of the shards"),
    COPY_IN_STREAM(
            "changes",
            "under load: while it reads the binlog, each row is copied once in a state that is not older than the changes read before, or a change of it is"
                    + " read; every transaction from its start on, once and in order; together they give the rows of the shards"),
    STREAM(
            "changes",
            "under load: every transaction from the place on at which the client began, once and in order; the changes of each row follow one another up to"
                    + " the row of the shards"),
    EXACT_COPY_AND_STREAM(
            "changes",
            "under load: each row is copied once, and its changes continue exactly the row that was copied; together they give the rows of the"
                    + " shards");

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

    /** Whether the client needs the time that copies of tables need. */
    boolean isLong() {
        return this == COPY
                || this == COPY_AND_STREAM
                || this == EXACT_COPY_AND_STREAM
                || this == STREAM
                || this == COPY_IN_STREAM;
    }

    /** A reading in numbers. */
    String count(Reading reading) {
        String parts = reading.transactions().size() + " " + this.parts;
        if (this == ANSWERS || this == COPY) {
            return parts;
        }
        int ddl = reading.statements().size();
        return parts + ", " + reading.rows() + " rows" + (ddl == 0 ? "" : ", " + ddl + " DDL");
    }
}
