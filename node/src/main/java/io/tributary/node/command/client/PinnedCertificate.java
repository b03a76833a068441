package io.tributary.node.command.client;

import io.tributary.common.tls.PemFiles;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A trust manager that accepts exactly one server certificate, that of a file, under any host name. */
final class PinnedCertificate extends X509ExtendedTrustManager {
    private final Path file;

    private PinnedCertificate(Path file) {
        this.file = file;
    }

    /** @throws io.tributary.common.error.TributaryException TLS_UNUSABLE */
    static SSLContext context(Path file) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new PinnedCertificate(file)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw PemFiles.unusable(file, "a certificate to trust", e.toString(), e);
        }
    }

    private void require(X509Certificate[] chain) throws CertificateException {
        if (!chain[0].equals(PemFiles.certificates(file)[0])) {
            throw new CertificateException(
                    "expected the certificate of " + file + ", found that of " + chain[0].getSubjectX500Principal());
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method, Socket socket) throws CertificateException {
        require(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String method, SSLEngine engine)
            throws CertificateException {
        require(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method) throws CertificateException {
        throw new CertificateException("expected a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method, Socket socket) throws CertificateException {
        throw new CertificateException("expected a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String method, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("expected a server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
