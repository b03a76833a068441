package io.tributary.node.check;

/**
 * A difference between members of logical tables that causes problems on replicas. It does not prevent a start.
 *
 * @param tables the logical tables, or the logical schema
 * @param what the property that differs
 * @param found the values that were found, with shards and physical tables
 * @param consequence what will happen on replicas
 * @param remedy what to do
 */
public record TableProblem(String tables, String what, String found, String consequence, String remedy) {
    /** One line for an operator. */
    @Override
    public String toString() {
        return "table " + tables + ": warning: " + what + ": " + found + ": " + consequence + " | " + remedy;
    }
}
