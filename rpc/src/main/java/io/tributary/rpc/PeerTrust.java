package io.tributary.rpc;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Trusts the certificates of the CA that the file contains now; logs each refused certificate, what was expected, and the reason. */
final class PeerTrust extends X509ExtendedTrustManager {
    private static final Logger LOG = LoggerFactory.getLogger(PeerTrust.class);

    private final PeerCertificates certificates;

    PeerTrust(PeerCertificates certificates) {
        this.certificates = certificates;
    }

    /** A check of the Java platform. */
    private interface Check {
        void run(X509ExtendedTrustManager trust) throws CertificateException;
    }

    private void check(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run(certificates.trust());
        } catch (CertificateException e) {
            String message = "expected " + certificates.expected() + " of the other node, found "
                    + PeerCertificates.describe(chain[0]) + ": " + reason(e)
                    + "; give it a certificate of that CA that is valid now, or configure its CA on this node";
            LOG.warn("connection between nodes refused: reason=\"{}\"", message);
            throw new CertificateException(message, e);
        }
    }

    private static String reason(Throwable cause) {
        Throwable deepest = cause;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain, trust -> trust.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain, trust -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, trust -> trust.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, trust -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, trust -> trust.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, trust -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return certificates.trust().getAcceptedIssuers();
    }
}
