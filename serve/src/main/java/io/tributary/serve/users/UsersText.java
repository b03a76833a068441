package io.tributary.serve.users;

import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.serve.filter.TableFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads and writes the text of a users file: a block for each user.
 *
 * <pre>
 *   [reader]
 *   password = pbkdf2-sha256:50000:c2FsdA...:aGFzaA...
 *   rights = replication, monitor
 *   networks = 10.0.0.0/8, fd00::/8
 *   connections = 10
 *   rate = 20MiB
 *   tables = shop.*, !shop.secret*
 * </pre>
 */
final class UsersText {
    private static final String HEAD =
            "# Users of a Tributary node, written by `tributary user`; read again whenever it changes.\n";
    private static final Set<String> KEYS = new LinkedHashSet<>(
            List.of("password", "native", "certificate", "rights", "networks", "connections", "rate", "tables"));

    private final Map<String, UserEntry> users = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> block = new LinkedHashMap<>();
    private String name;
    private int nameLine;

    private UsersText() {}

    /**
     * Parses a file's text.
     *
     * @param source name of the file in messages
     * @return users by name
     * @throws TributaryException USERS_UNUSABLE with all problems; it contains no password hashes
     */
    static Map<String, UserEntry> parse(String source, String text) {
        UsersText parsed = new UsersText();
        String[] lines = text.split("\r?\n", -1);
        for (int i = 0; i < lines.length; i++) {
            parsed.line(lines[i].strip(), i + 1);
        }
        parsed.endBlock();
        if (!parsed.problems.isEmpty()) {
            throw new TributaryException(ErrorCode.USERS_UNUSABLE, source + ": " + String.join("; ", parsed.problems));
        }
        return parsed.users;
    }

    private void line(String line, int number) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith("[") && line.endsWith("]")) {
            endBlock();
            name = line.substring(1, line.length() - 1);
            nameLine = number;
            return;
        }
        int equals = line.indexOf('=');
        String key = equals < 0 ? "" : line.substring(0, equals).strip();
        if (name == null || !KEYS.contains(key)) {
            problems.add("line " + number + ": expected [NAME] or, after it, one of " + String.join(", ", KEYS)
                    + " with a value, found another line");
        } else if (block.put(key, line.substring(equals + 1).strip()) != null) {
            problems.add("line " + number + ": expected " + key + " once for user " + name + ", found it twice");
        }
    }

    private void endBlock() {
        if (name == null) {
            return;
        }
        int before = problems.size();
        Optional<PasswordHash> password = value("password", Passwords::parseSalted);
        Optional<PasswordHash> nativePassword = value("native", Passwords::parseNative);
        Optional<CertificateName> certificate = value("certificate", CertificateName::parse);
        List<Right> rights = list("rights", UsersText::right);
        List<Network> networks = list("networks", Network::parse);
        int connections = value("connections", UsersText::count).orElse(0);
        long rate = value("rate", text -> ByteSize.parse(text).bytes()).orElse(0L);
        TableFilter tables = value("tables", TableFilter::parse).orElse(TableFilter.ALL);
        if (problems.size() == before) {
            try {
                Grant grant = new Grant(Set.copyOf(rights), networks, connections, rate);
                UserEntry entry =
                        new UserEntry(name, new LoginMethods(password, nativePassword, certificate), grant, tables);
                if (users.put(name, entry) != null) {
                    problems.add("line " + nameLine + ": expected user " + name + " once, found it twice");
                }
            } catch (IllegalArgumentException e) {
                problems.add("line " + nameLine + ": " + e.getMessage());
            }
        }
        block.clear();
        name = null;
    }

    private <T> Optional<T> value(String key, Function<String, T> reader) {
        String text = block.get(key);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(text));
        } catch (IllegalArgumentException | ArithmeticException e) {
            problems.add("user " + name + ", " + key + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private <T> List<T> list(String key, Function<String, T> reader) {
        return value(
                        key,
                        text -> text.isEmpty()
                                ? List.<T>of()
                                : Arrays.stream(text.split(",", -1))
                                        .map(part -> reader.apply(part.strip()))
                                        .toList())
                .orElse(List.of());
    }

    static Right right(String text) {
        return Right.of(text)
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + Arrays.stream(Right.values()).map(Right::text).collect(Collectors.joining(", ")) + ", found '"
                        + text + "'"));
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number, found '" + text + "'", e);
        }
        throw new IllegalArgumentException("expected 0 or more, found '" + text + "'");
    }

    /** The text of users, in the format that {@link #parse} reads. */
    static String of(Collection<UserEntry> users) {
        StringBuilder text = new StringBuilder(HEAD);
        for (UserEntry user : users) {
            Grant grant = user.grant();
            text.append("\n[").append(user.name()).append("]\n");
            user.password().ifPresent(hash -> line(text, "password", hash.text()));
            user.nativePassword().ifPresent(hash -> line(text, "native", hash.text()));
            user.certificate().ifPresent(certificate -> line(text, "certificate", certificate.toString()));
            line(text, "rights", rights(grant));
            if (!grant.networks().isEmpty()) {
                line(text, "networks", networks(grant));
            }
            if (grant.connections() > 0) {
                line(text, "connections", Integer.toString(grant.connections()));
            }
            if (grant.bytesPerSecond() > 0) {
                line(text, "rate", new ByteSize(grant.bytesPerSecond()).toString());
            }
            if (!user.tables().isAll()) {
                line(text, "tables", user.tables().toString());
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(" = ").append(value).append('\n');
    }

    static String rights(Grant grant) {
        return grant.rights().stream().sorted().map(Right::text).collect(Collectors.joining(", "));
    }

    static String networks(Grant grant) {
        return grant.networks().stream().map(Network::toString).collect(Collectors.joining(", "));
    }
}
