package io.tributary.serve.select;

import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** How many SELECTs run at a time, of one user and of all; further ones wait in their order. Any thread. */
final class SelectSlots {
    private static final int MAX_WAITING = 64;
    private static final int MAX_WAITING_OF_USER = 32;

    private final SelectConfig config;
    private final Set<SelectRun> running = new LinkedHashSet<>(); // in the order of their start; guarded by this
    private final Set<SelectRun> waiting = new LinkedHashSet<>(); // guarded by this

    SelectSlots(SelectConfig config) {
        this.config = config;
    }

    /**
     * A SELECT wants to run.
     *
     * @return whether it starts now; otherwise it waits
     * @throws SqlRefusal 1226 if too many wait
     */
    synchronized boolean enter(SelectRun run) {
        if (mayRun(run)) {
            running.add(run);
            return true;
        }
        if (waiting.size() >= MAX_WAITING) {
            throw new SqlRefusal(
                    MysqlError.ER_USER_LIMIT_REACHED,
                    "SELECT on tables: expected at most " + config.running() + " at a time (serve.select.running) and "
                            + MAX_WAITING + " that wait, found more");
        }
        if (count(waiting, run) >= MAX_WAITING_OF_USER) {
            throw new SqlRefusal(
                    MysqlError.ER_USER_LIMIT_REACHED,
                    "User '" + run.session().user()
                            + "' has exceeded the 'serve.select.user-running' resource (current value: "
                            + config.ofUser() + ", and " + MAX_WAITING_OF_USER + " that wait)");
        }
        waiting.add(run);
        return false;
    }

    private boolean mayRun(SelectRun run) {
        return running.size() < config.running() && count(running, run) < config.ofUser();
    }

    private static long count(Set<SelectRun> runs, SelectRun ofUser) {
        String user = ofUser.session().user();
        return runs.stream().filter(run -> run.session().user().equals(user)).count();
    }

    /** Whether a SELECT that lacks memory has begun after all others that lack it. */
    synchronized boolean isYoungestWithoutMemory(SelectRun run) {
        SelectRun youngest = null;
        for (SelectRun each : running) {
            youngest = each.lacksMemory() ? each : youngest;
        }
        return youngest == run;
    }

    synchronized boolean isWaiting(SelectRun run) {
        return waiting.contains(run);
    }

    /** A SELECT waits no longer. */
    synchronized void forget(SelectRun run) {
        waiting.remove(run);
    }

    /** A SELECT that ran, or waited, is over. Returns those that start now. */
    synchronized List<SelectRun> leave(SelectRun run) {
        waiting.remove(run);
        running.remove(run);
        List<SelectRun> next = new ArrayList<>();
        for (Iterator<SelectRun> each = waiting.iterator(); each.hasNext(); ) {
            SelectRun first = each.next();
            if (mayRun(first)) {
                each.remove();
                running.add(first);
                next.add(first);
            }
        }
        return next;
    }
}
