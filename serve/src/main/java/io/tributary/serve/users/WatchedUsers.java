package io.tributary.serve.users;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.FileStamp;
import io.tributary.common.io.PrivateFile;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.UserStore;
import io.tributary.serve.filter.ReaderFilters;
import io.tributary.serve.filter.TableFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of a file and, after them, one user of the configuration. The file is checked at each login and periodically, and read again when
 * it has changed. If it cannot be used, the previous users stay valid.
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
     * @param configured the configuration's user; a user of the same name in the file has precedence
     * @throws TributaryException USERS_UNUSABLE
     */
    public WatchedUsers(Path file, Optional<Account> configured) {
        this.file = file;
        this.configured = configured;
        this.stamp = FileStamp.of(file);
        update(UsersFile.read(file));
        warnIfReadable();
        if (accounts.isEmpty() && configured.isEmpty()) {
            LOG.warn("no user can log in: users.file={} serve.password=none action=\"tributary user add\"", file);
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
     * The filter of the file as it was when last checked. A user that was removed keeps its filter for its running sessions. An unknown user may
     * read nothing.
     */
    @Override
    public TableFilter of(String user) {
        return filters.getOrDefault(user, TableFilter.NONE);
    }

    /** Checks the file and reads it if it has changed; therefore not for an event loop. */
    public synchronized void poll() {
        refresh();
    }

    /** The problem of the current file; empty when there is none. */
    public String problem() {
        return problem;
    }

    /** Number of users, including the configuration's. */
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
            update(UsersFile.read(file));
            problem = "";
            LOG.info("users loaded: file={} users={}", file, accounts.size());
            warnIfReadable();
        } catch (TributaryException e) {
            problem = e.getMessage();
            LOG.error("users not loaded: reason=\"{}\" effect=\"the previous users stay valid\"", e.line());
        }
    }

    /** Uses new entries. An account with an unchanged password keeps its object, with the digest from its first login in memory. */
    private void update(Map<String, UserEntry> read) {
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
                        "serve.password not used: user={} reason=\"user is in the file\" file={}",
                        account.user(),
                        file));
    }

    private void warnIfReadable() {
        try {
            if (stamp.exists() && PrivateFile.isOpenToOthers(file)) {
                LOG.warn("users file readable by others: file={} action=\"chmod 600\"", file);
            }
        } catch (IOException e) {
            LOG.warn("file mode unknown: file={}", file, e);
        }
    }
}
