package io.tributary.serve.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.serve.filter.TableFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedUsersTest {
    private static final Grant GRANT = new Grant(
            Set.of(Right.REPLICATION, Right.MONITOR),
            List.of(Network.parse("10.0.0.0/8"), Network.parse("::1")),
            7,
            20 << 20);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("serve").resolve(UsersFile.NAME);
    }

    private static UserEntry user(String name, String password, Grant grant) {
        return new UserEntry(
                name,
                new LoginMethods(Optional.of(Passwords.salted(password)), Optional.empty(), Optional.empty()),
                grant,
                TableFilter.ALL);
    }

    private void put(UserEntry... entries) {
        UsersFile.change(file, users -> {
            for (UserEntry entry : entries) {
                users.put(entry.name(), entry);
            }
            return users;
        });
    }

    private static PasswordHash password(WatchedUsers users, String name) {
        return users.find(name)
                .orElseThrow()
                .password(AuthMethod.CACHING_SHA2_PASSWORD)
                .orElseThrow();
    }

    @Test
    void writtenUsersAreReadAgain() {
        UserEntry whole = new UserEntry(
                "größe = [x",
                new LoginMethods(
                        Optional.of(Passwords.salted("p")),
                        Optional.of(Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, "p")),
                        Optional.of(CertificateName.parse("subject:CN=replica1,O=Example"))),
                GRANT,
                TableFilter.parse("Shop.*,crm,!shop.secret*"));
        UserEntry bare = new UserEntry(
                "bare",
                new LoginMethods(
                        Optional.empty(), Optional.empty(), Optional.of(CertificateName.parse("dns:a.example"))),
                new Grant(Set.of(), List.of(), 0, 0),
                TableFilter.ALL);
        put(whole, bare);
        List<UserEntry> read = new ArrayList<>(UsersFile.read(file).values());
        assertEquals(
                List.of(whole.name(), bare.name()),
                read.stream().map(UserEntry::name).toList());
        assertEquals(GRANT, read.get(0).grant());
        assertTrue(read.get(0).logsInAs(whole));
        assertEquals(
                "subject:CN=replica1,O=Example",
                read.get(0).certificate().orElseThrow().toString());
        assertEquals("shop.*, crm.*, !shop.secret*", read.get(0).tables().toString());
        assertEquals(whole.tables(), read.get(0).tables());
        assertTrue(read.get(1).tables().isAll());
        assertEquals(bare.grant(), read.get(1).grant());
        assertTrue(read.get(1).password().isEmpty());
    }

    @Test
    void onlyTheOwnerMayReadTheFileAndNoTemporaryFileIsLeft() throws Exception {
        put(user("a", "p", Grant.ALL));
        put(user("b", "p", Grant.ALL));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        try (Stream<Path> all = Files.list(file.getParent())) {
            assertEquals(
                    List.of("users", "users.lock"),
                    all.map(each -> each.getFileName().toString()).sorted().toList());
        }
        assertFalse(Files.readString(file).contains("= p\n"));
    }

    @Test
    void aChangeIsSeenAtTheNextLogin() throws Exception {
        WatchedUsers users = new WatchedUsers(file, Optional.empty());
        assertTrue(users.find("a").isEmpty());
        put(user("a", "p", Grant.ALL), user("b", "q", Grant.ALL));
        assertTrue(password(users, "a").accepts("p"));
        UsersFile.change(file, all -> {
            all.remove("a");
            return all;
        });
        assertTrue(users.find("a").isEmpty());
        assertTrue(users.find("b").isPresent());
        Files.delete(file);
        assertTrue(users.find("b").isEmpty());
    }

    @Test
    void theDigestIsKeptWhileThePasswordStays() {
        put(user("a", "p", Grant.ALL));
        WatchedUsers users = new WatchedUsers(file, Optional.empty());
        assertTrue(password(users, "a").digest().isEmpty());
        assertTrue(password(users, "a").accepts("p"));
        put(user("b", "q", Grant.ALL));
        assertTrue(password(users, "a").digest().isPresent(), "another user changed");
        put(user("a", "other", GRANT));
        assertTrue(password(users, "a").digest().isEmpty(), "the password changed");
        assertEquals(GRANT, users.find("a").orElseThrow().grant());
        assertFalse(password(users, "a").accepts("p"));
    }

    private static UserEntry reading(String name, String tables) {
        return user(name, "p", Grant.ALL).with(Optional.empty(), GRANT, TableFilter.parse(tables));
    }

    @Test
    void aUserMayReadWhatTheFileContainedAtTheLastPoll() {
        put(reading("a", "shop"), user("b", "p", GRANT));
        WatchedUsers users = new WatchedUsers(file, Optional.empty());
        assertEquals(TableFilter.parse("shop"), users.of("a"));
        assertEquals(TableFilter.ALL, users.of("b"));
        put(reading("a", "crm"));
        assertEquals(TableFilter.parse("shop"), users.of("a"));
        users.poll();
        assertEquals(TableFilter.parse("crm"), users.of("a"));
    }

    @Test
    void anUnknownUserReadsNothing() {
        Account configured = Account.withPassword("c", AuthMethod.CACHING_SHA2_PASSWORD, "p");
        WatchedUsers users = new WatchedUsers(file, Optional.of(configured));
        assertEquals(TableFilter.NONE, users.of("nobody"));
        assertFalse(
                users.of("nobody").reads("shop", "orders") || users.of("nobody").readsSchema("shop"));
        assertEquals(TableFilter.ALL, users.of("c"));
    }

    @Test
    void aRemovedUserKeepsItsFilter() {
        Account configured = Account.withPassword("c", AuthMethod.CACHING_SHA2_PASSWORD, "p");
        put(reading("a", "shop"), reading("c", "shop"));
        WatchedUsers users = new WatchedUsers(file, Optional.of(configured));
        UsersFile.change(file, all -> {
            all.clear();
            return all;
        });
        users.poll();
        assertTrue(users.find("a").isEmpty());
        assertEquals(TableFilter.parse("shop"), users.of("a"), "its sessions continue");
        assertEquals(TableFilter.ALL, users.of("c"), "it is the configuration's user now");
    }

    @Test
    void aBrokenFileKeepsThePreviousUsers() throws Exception {
        put(user("a", "p", Grant.ALL));
        WatchedUsers users = new WatchedUsers(file, Optional.empty());
        String good = Files.readString(file);
        Files.writeString(file, good + "[a]\nrights = everything\n");
        assertTrue(users.find("a").isPresent());
        assertTrue(
                users.problem().contains("expected one of replication, monitor, admin, found 'everything'"),
                users.problem());
        Files.writeString(file, good);
        assertTrue(users.find("a").isPresent());
        assertEquals("", users.problem());
    }

    @Test
    void everyMistakeIsReportedWithoutAnyHash() {
        String text = """
                stray
                [a]
                password = secret-hash
                networks = 10.0.0.0/99

                [b]
                rate = fast
                tables = a.b.c
                foo = 1
                [c]
                rights = monitor
                [d]
                certificate = dns:x
                certificate = dns:y
                connections = many
                """;
        TributaryException thrown = assertThrows(TributaryException.class, () -> UsersText.parse("users", text));
        assertEquals(ErrorCode.USERS_UNUSABLE, thrown.code());
        for (String part : new String[] {
            "line 1: ",
            "user a, password: ",
            "user a, networks: expected a network",
            "user b, rate: ",
            "user b, tables: expected a pattern",
            "line 9: ",
            "line 10: expected a password or a certificate for user c",
            "line 14: expected certificate once",
            "user d, connections: "
        }) {
            assertTrue(thrown.getMessage().contains(part), part + " in " + thrown.getMessage());
        }
        assertFalse(thrown.getMessage().contains("secret-hash"));
    }

    @Test
    void theConfiguredUserIsValidUntilTheFileHasItsName() {
        Account configured = Account.withPassword("a", AuthMethod.CACHING_SHA2_PASSWORD, "old");
        WatchedUsers users = new WatchedUsers(file, Optional.of(configured));
        assertTrue(password(users, "a").accepts("old"));
        put(user("a", "new", GRANT));
        assertTrue(password(users, "a").accepts("new"));
        assertFalse(password(users, "a").accepts("old"));
        assertEquals(1, users.count());
    }
}
