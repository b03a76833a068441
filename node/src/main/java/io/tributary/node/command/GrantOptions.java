package io.tributary.node.command;

import io.tributary.common.config.ByteSize;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.Right;
import io.tributary.serve.filter.TableFilter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The options for a user's rights, networks, limits, tables and certificate. An option that is not given changes nothing. */
final class GrantOptions {
    @Option(
            names = "--rights",
            split = ",",
            paramLabel = "RIGHT",
            description = "Rights, separated by commas: ${COMPLETION-CANDIDATES}. Default of a new user: REPLICATION.")
    private Set<Right> rights;

    @Option(
            names = "--network",
            split = ",",
            paramLabel = "CIDR",
            description =
                    "Networks from which the user may log in, such as 10.0.0.0/8 or fd00::/8; may be repeated. '': from everywhere,"
                            + " the default of a new user.")
    private List<String> networks;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Maximum number of connections at the same time. 0: no limit, the default of a new user.")
    private Integer connections;

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            description =
                    "Maximum bytes per second of all dumps of the user together, such as 20MiB. 0B: no limit, the default of a new user.")
    private String rate;

    @Option(
            names = "--tables",
            paramLabel = "PATTERNS",
            description =
                    "Tables that the user may read, such as 'shop.*, crm.order_?, !shop.secret*'. '': all tables, the default of a"
                            + " new user.")
    private String tables;

    @Option(
            names = "--certificate",
            paramLabel = "NAME",
            description =
                    "A name that the client's certificate must contain: subject:CN=..., dns:..., ip:..., email:... or"
                            + " uri:... '': none, the default of a new user.")
    private String certificate;

    /** Whether at least one option is given. */
    boolean isAny() {
        return rights != null
                || networks != null
                || connections != null
                || rate != null
                || tables != null
                || certificate != null;
    }

    Grant grant(Grant before) {
        return checked(() -> new Grant(
                rights == null ? before.rights() : rights,
                networks == null ? before.networks() : networks(),
                connections == null ? before.connections() : connections,
                rate == null ? before.bytesPerSecond() : ByteSize.parse(rate).bytes()));
    }

    private List<Network> networks() {
        return networks.stream()
                .filter(text -> !text.isBlank())
                .map(Network::parse)
                .toList();
    }

    TableFilter tables(TableFilter before) {
        return tables == null ? before : checked(() -> TableFilter.parse(tables));
    }

    Optional<CertificateName> certificate(Optional<CertificateName> before) {
        if (certificate == null) {
            return before;
        }
        return certificate.isBlank()
                ? Optional.empty()
                : checked(() -> Optional.of(CertificateName.parse(certificate)));
    }

    private static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw UserCommand.refused(e.getMessage());
        }
    }
}
