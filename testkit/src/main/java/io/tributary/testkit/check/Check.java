package io.tributary.testkit.check;

/** A checker that is given the output's transactions, one after another. */
public interface Check {
    /** Looks at the next transaction. */
    void accept(BinlogTransaction transaction);

    /** What was found so far. */
    Report report();
}
