package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.PrivateFile;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import io.tributary.mysql.protocol.tls.CertificateAuthority;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary certs}: creates the certificates by which the nodes of a cluster authenticate each other. */
@Command(
        name = "certs",
        description = "Creates the certificates by which the nodes of a cluster authenticate each other.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = CertsCommand.Init.class)
final class CertsCommand {

    /** {@code tributary certs init}: creates a CA and node certificates. */
    @Command(
            name = "init",
            description = {
                "Creates a CA and a certificate for each node, and prints the configuration keys for each node.",
                "If the directory already contains a CA, it creates certificates for the nodes that have none yet.",
                "Do not copy ca-key.pem to the nodes: with this key a certificate for any node can be created."
            },
            mixinStandardHelpOptions = true)
    static final class Init implements Callable<Integer> {
        private static final String CA = "ca.pem";
        private static final String CA_KEY = "ca-key.pem";
        private static final String CERTIFICATE = "node.pem";
        private static final String KEY = "node-key.pem";
        private static final String NAME = "[A-Za-z0-9]([A-Za-z0-9._-]{0,62})";
        private static final String HOST = "[A-Za-z0-9]([A-Za-z0-9.:-]{0,252})|:[0-9a-fA-F:.]+";

        @Spec
        private CommandSpec spec;

        @Option(
                names = "--folder",
                defaultValue = "certs",
                description = "The directory for the CA and for one folder per node. Default: ${DEFAULT-VALUE}")
        private Path folder;

        @Option(
                names = "--days",
                defaultValue = "825",
                description = "The validity of a node's certificate in days. Default: ${DEFAULT-VALUE}")
        private int days;

        @Option(
                names = "--ca-days",
                defaultValue = "3650",
                description = "The validity of the CA in days. Default: ${DEFAULT-VALUE}")
        private int authorityDays;

        @Parameters(
                paramLabel = "NODE=HOST[,HOST...]",
                arity = "1..*",
                description =
                        "A node, and the names and addresses by which the other nodes connect to it; NODE alone: NODE is also the host name.")
        private List<String> nodes;

        @Override
        public Integer call() throws IOException {
            List<RequestedNode> wanted =
                    nodes.stream().map(RequestedNode::parse).toList();
            if (days < 1 || authorityDays < 1) {
                throw refused("--days and --ca-days: expected 1 or more");
            }
            for (RequestedNode node : wanted) {
                if (Files.exists(folder.resolve(node.name()))) {
                    throw refused(folder.resolve(node.name()) + ": expected no certificate of that node, found one;"
                            + " remove the folder to create another one");
                }
            }
            PrivateFile.createFolder(folder);
            CertificateAuthority authority = authority();
            PrintWriter out = spec.commandLine().getOut();
            out.println("CA: " + folder.resolve(CA) + "; do not copy " + folder.resolve(CA_KEY) + " to the nodes");
            for (RequestedNode node : wanted) {
                make(authority, node, out);
            }
            out.flush();
            return 0;
        }

        private CertificateAuthority authority() throws IOException {
            Path certificate = folder.resolve(CA);
            Path key = folder.resolve(CA_KEY);
            if (Files.exists(certificate) != Files.exists(key)) {
                throw refused(folder + ": expected both " + CA + " and " + CA_KEY + " or none, found one");
            }
            if (!Files.exists(certificate)) {
                CertificateAuthority.Pair made =
                        CertificateAuthority.create("Tributary nodes", Duration.ofDays(authorityDays), Clock.SYSTEM);
                PrivateFile.replace(key, made.key());
                readable(certificate, made.certificate());
            }
            X509Certificate[] chain = PemFiles.certificates(certificate);
            return new CertificateAuthority(chain[0], PemFiles.keyOf(key, chain, certificate), Clock.SYSTEM);
        }

        private void make(CertificateAuthority authority, RequestedNode node, PrintWriter out) throws IOException {
            Path own = folder.resolve(node.name());
            PrivateFile.createFolder(own);
            CertificateAuthority.Pair made = authority.node(node.name(), node.hosts(), Duration.ofDays(days));
            PrivateFile.replace(own.resolve(KEY), made.key());
            readable(own.resolve(CERTIFICATE), made.certificate());
            readable(own.resolve(CA), Files.readString(folder.resolve(CA)));
            out.println();
            out.println("# " + node.name() + ", reached at " + String.join(", ", node.hosts()) + ": copy " + own
                    + " to /etc/tributary/certs there, readable by the node's user only, and set");
            out.println("grpc.tls.certificate = /etc/tributary/certs/" + CERTIFICATE);
            out.println("grpc.tls.key = /etc/tributary/certs/" + KEY);
            out.println("grpc.tls.ca = /etc/tributary/certs/" + CA);
        }

        /** Writes a file that the group may read: a certificate is not secret. */
        private static void readable(Path file, String text) throws IOException {
            PrivateFile.replace(file, text);
            PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (posix != null) {
                posix.setPermissions(PosixFilePermissions.fromString("rw-r-----"));
            }
        }

        private static TributaryException refused(String message) {
            return new TributaryException(ErrorCode.CONFIG_INVALID, message);
        }

        /** A node, and the host names and addresses in its certificate. */
        private record RequestedNode(String name, List<String> hosts) {
            static RequestedNode parse(String text) {
                int sign = text.indexOf('=');
                String name = sign < 0 ? text : text.substring(0, sign);
                List<String> hosts = sign < 0
                        ? List.of(name)
                        : List.of(text.substring(sign + 1).split(",", -1));
                List<String> wrong = new ArrayList<>(hosts);
                wrong.removeIf(host -> host.matches(HOST));
                if (!name.matches(NAME) || !wrong.isEmpty()) {
                    throw refused("expected NODE=HOST,HOST..., found " + text);
                }
                return new RequestedNode(name, hosts);
            }
        }
    }
}
