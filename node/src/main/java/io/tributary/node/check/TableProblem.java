package io.tributary.node.check;

/**
 * One thing about logical tables that will hurt. None of them is in the way of a start.
 *
 * @param tables the logical tables, or the logical schema
 * @param what in which respect
 * @param found what is so, with shards and physical tables
 * @param consequence what will happen
 * @param remedy what to do
 */
public record TableProblem(String tables, String what, String found, String consequence, String remedy) {
    /** One line for an operator. */
    @Override
    public String toString() {
        return "table " + tables + ": warning: " + what + ": " + found + ": " + consequence + " | " + remedy;
    }
}
