package io.tributary.mysql.protocol.tls;

import io.tributary.common.io.PrivateFile;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A self-signed certificate that a server creates at its first start, as MySQL does: it encrypts connections, and authenticates the server
 * only to clients that have a copy of it.
 */
public final class SelfSignedCertificate {
    /** Names of the files, the same as a MySQL server's. */
    public static final String CERTIFICATE = "server-cert.pem";

    public static final String KEY = "server-key.pem";

    private static final Duration LIFE = Duration.ofDays(3650);
    private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

    private SelfSignedCertificate() {}

    /**
     * Creates both files in a folder unless they exist.
     *
     * @param name the certificate's common name
     * @return whether they were created
     */
    public static boolean in(Path folder, String name, Clock clock) throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        Path key = folder.resolve(KEY);
        if (Files.exists(certificate) && Files.exists(key)) {
            return false;
        }
        CertificateAuthority.Pair made = CertificateAuthority.server(name, HOSTS, LIFE, clock);
        PrivateFile.createFolder(folder);
        PrivateFile.replace(key, made.key());
        PrivateFile.replace(certificate, made.certificate());
        return true;
    }
}
