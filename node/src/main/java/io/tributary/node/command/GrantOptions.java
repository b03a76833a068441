package io.tributary.node.command;

import io.tributary.common.config.ByteSize;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.mysql.protocol.auth.CertificateName;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.Network;
import io.tributary.mysql.protocol.auth.Right;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** What a user may do, from where, how much and with which tables; what is not given is as it was. */
final class GrantOptions {
    @Option(
            names = "--rights",
            split = ",",
            paramLabel = "RIGHT",
            description = "Some of ${COMPLETION-CANDIDATES}, separated by commas; a new user's are REPLICATION.")
    private Set<Right> rights;

    @Option(
            names = "--network",
            split = ",",
            paramLabel = "CIDR",
            description = "From where it may log in, such as 10.0.0.0/8 or fd00::/8; may be repeated; '', and for a new"
                    + " user none: from everywhere.")
    private List<String> networks;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections at the same time; 0, a new user's: any number.")
    private Integer connections;

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            description = "Bytes a second of all its dumps together, such as 20MiB; 0B, a new user's: any.")
    private String rate;

    @Option(
            names = "--tables",
            paramLabel = "PATTERNS",
            description = "The tables that it may read, such as 'shop.*, crm.order_?, !shop.secret*'; '', a new user's:"
                    + " all of them.")
    private String tables;

    @Option(
            names = "--certificate",
            paramLabel = "NAME",
            description =
                    "A name that the client's certificate must have: subject:CN=..., dns:..., ip:..., email:... or"
                            + " uri:...; '', a new user's: none.")
    private String certificate;

    /** Whether any of it is given. */
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
