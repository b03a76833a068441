package io.tributary.mysql.protocol.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.tributary.common.io.ReloadedFiles;
import io.tributary.common.tls.PemFiles;
import io.tributary.mysql.protocol.server.TlsSource;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * TLS 1.2 and 1.3 from files in PEM: certificates, key (PKCS #8), and the CA of clients' certificates. Changed files are used from
 * the next connection on; if they cannot be used, the previous content stays in use until they can.
 */
public final class TlsFiles implements TlsSource {
    private final Path certificate;
    private final Path key;
    private final Optional<Path> ca;
    private final ReloadedFiles<SslContext> files;

    /**
     * Reads the files.
     *
     * @param ca empty: clients are not asked for certificates
     * @throws io.tributary.common.error.TributaryException TLS_UNUSABLE
     */
    public TlsFiles(Path certificate, Path key, Optional<Path> ca) {
        this.certificate = certificate;
        this.key = key;
        this.ca = ca;
        List<Path> all = new ArrayList<>(List.of(certificate, key));
        ca.ifPresent(all::add);
        this.files = new ReloadedFiles<>(all, this::load);
    }

    @Override
    public SslContext context() {
        return files.current();
    }

    /** The problem with the files as they are now; empty if there is none. */
    public String problem() {
        return files.problem();
    }

    @Override
    public void refresh() {
        files.refresh();
    }

    private SslContext load() {
        X509Certificate[] chain = PemFiles.certificates(certificate);
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(PemFiles.keyOf(key, chain, certificate), chain)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2");
            ca.ifPresent(
                    file -> builder.trustManager(PemFiles.certificates(file)).clientAuth(ClientAuth.OPTIONAL));
            return builder.build();
        } catch (IOException e) {
            throw PemFiles.unusable(certificate, "a certificate and a key for TLS", e.toString(), e);
        }
    }
}
