package io.tributary.testkit.check;

/** A checker that receives the output's transactions one after another. */
public interface Check {
    /** Checks the next transaction. */
    void accept(BinlogTransaction transaction);

    /** The result so far. */
    Report report();
}
