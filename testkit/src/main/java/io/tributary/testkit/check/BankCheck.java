package io.tributary.testkit.check;

import java.util.HashMap;
import java.util.Map;

/**
 * Checker of I6: applies the stream's changes of {@code bank.accounts} to a table in memory and checks that the sum of all balances
 * is the same at every transaction boundary, except for transactions that open accounts.
 */
public final class BankCheck implements Check {
    private static final int ID = 0;
    private static final int BALANCE = 1;
    private static final int SEQ = 2;

    private final Map<Long, Account> accounts = new HashMap<>();
    private final Violations violations = new Violations("I6 bank");
    private long sum;
    private long opened;

    private record Account(long balance, long seq) {}

    @Override
    public void accept(BinlogTransaction transaction) {
        boolean touched = false;
        for (RowChange change : transaction.changes()) {
            if (change.isOf("bank", "accounts")) {
                apply(change, transaction);
                touched = true;
            }
        }
        if (touched) {
            violations.checked();
            if (sum != opened) {
                violations.add(
                        "after " + transaction.place() + " the sum of the balances is " + sum + ", expected " + opened);
            }
        }
    }

    private void apply(RowChange change, BinlogTransaction transaction) {
        long id = change.row().number(ID);
        if (!change.isInsert()) {
            Account image =
                    new Account(change.before().number(BALANCE), change.before().number(SEQ));
            Account current = accounts.remove(id);
            if (!image.equals(current)) {
                violations.add("account " + id + " at " + transaction.place() + " has the before-image " + image
                        + ", expected " + current);
            }
            sum -= current == null ? image.balance : current.balance;
        }
        if (!change.isDelete()) {
            Account now =
                    new Account(change.after().number(BALANCE), change.after().number(SEQ));
            accounts.put(id, now);
            sum += now.balance;
            opened += change.isInsert() ? now.balance : 0;
        }
    }

    /** The current sum of all balances. */
    public long sum() {
        return sum;
    }

    @Override
    public Report report() {
        return violations.report();
    }
}
