package io.tributary.dumper.users;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.FileStamp;
import io.tributary.common.io.PrivateFile;
import io.tributary.dumper.filter.ReaderFilters;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.UserStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of a file and, behind them, one of the configuration. The file is looked at with each login and now and then, and read
 * again when it has changed; where it cannot be used, the users that it held before go on.
 */
public final class WatchedUsers implements UserStore, ReaderFilters {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedUsers.class);

    private final Path file;
    private final Optional<Account> configured;
    private Map<String, UserEntry> entries = Map.of();
    private Map<String, Account> accounts = Map.of();
    private volatile Map<String, TableFilter> filters = Map.of();
    private FileStamp stamp;
    private volatile String problem = "";

    /**
     * Reads the file, which may be missing.
     *
     * @param configured the configuration's user; one of the same name in the file wins
     * @throws TributaryException USERS_UNUSABLE
     */
    public WatchedUsers(Path file, Optional<Account> configured) {
        this.file = file;
        this.configured = configured;
        this.stamp = FileStamp.of(file);
        take(UsersFile.read(file));
        warnIfOpen();
        if (accounts.isEmpty() && configured.isEmpty()) {
            LOG.warn(
                    "nobody can log in: there are no users in {} and no serve.password; `tributary user add` makes one",
                    file);
        }
    }

    @Override
    public synchronized Optional<Account> find(String user) {
        refresh();
        Account found = accounts.get(user);
        return found != null
                ? Optional.of(found)
                : configured.filter(account -> account.user().equals(user));
    }

    /**
     * As the file said when it was last looked at; a user that was taken away keeps what he had, for the sessions that go on. Who has
     * never been known reads nothing.
     */
    @Override
    public TableFilter of(String user) {
        return filters.getOrDefault(user, TableFilter.NONE);
    }

    /** Looks at the file; reads it, so not for an event loop. */
    public synchronized void look() {
        refresh();
    }

    /** What is wrong with the file as it is now; empty where nothing is. */
    public String problem() {
        return problem;
    }

    /** How many there are, the configuration's included. */
    public synchronized int count() {
        boolean apart = configured
                .filter(account -> !accounts.containsKey(account.user()))
                .isPresent();
        return accounts.size() + (apart ? 1 : 0);
    }

    private void refresh() {
        FileStamp now = FileStamp.of(file);
        if (now.equals(stamp)) {
            return;
        }
        stamp = now;
        try {
            take(UsersFile.read(file));
            problem = "";
            LOG.info("{} users in {}", accounts.size(), file);
            warnIfOpen();
        } catch (TributaryException e) {
            problem = e.getMessage();
            LOG.error("{}; the users that it held before go on", e.line());
        }
    }

    /** An account whose password stays the same stays known, with the digest that its first login has left in memory. */
    private void take(Map<String, UserEntry> read) {
        Map<String, UserEntry> nextEntries = new LinkedHashMap<>();
        Map<String, Account> next = new LinkedHashMap<>();
        Map<String, TableFilter> nextFilters = new HashMap<>(filters);
        read.forEach((name, entry) -> {
            UserEntry before = entries.get(name);
            UserEntry kept = before != null && before.logsInAs(entry) ? entry.withPasswordsOf(before) : entry;
            nextEntries.put(name, kept);
            next.put(name, kept.account());
            nextFilters.put(name, kept.tables());
        });
        configured
                .filter(account -> !next.containsKey(account.user()))
                .ifPresent(account -> nextFilters.put(account.user(), TableFilter.ALL));
        entries = nextEntries;
        accounts = next;
        filters = Map.copyOf(nextFilters);
        configured
                .filter(account -> next.containsKey(account.user()))
                .ifPresent(account -> LOG.warn(
                        "user {} stands in {} and in the configuration: serve.password is not used",
                        account.user(),
                        file));
    }

    private void warnIfOpen() {
        try {
            if (stamp.exists() && PrivateFile.isOpenToOthers(file)) {
                LOG.warn("{} can be read by others than its owner: chmod 600", file);
            }
        } catch (IOException e) {
            LOG.warn("cannot look at the mode of {}", file, e);
        }
    }
}
