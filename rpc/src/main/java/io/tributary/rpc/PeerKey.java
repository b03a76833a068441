package io.tributary.rpc;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Presents the certificate that the file contains now, as server and as client. */
final class PeerKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "node";

    private final PeerCertificates certificates;

    PeerKey(PeerCertificates certificates) {
        this.certificates = certificates;
    }

    private String alias(String... keyTypes) {
        String own = certificates.newest().key().getAlgorithm();
        for (String type : keyTypes) {
            if (type.startsWith(own) || own.equals("EdDSA") && type.startsWith("Ed")) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return alias(keyTypes);
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return alias(keyTypes);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return alias(keyType);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return certificates.current().chain().clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return certificates.current().key();
    }
}
