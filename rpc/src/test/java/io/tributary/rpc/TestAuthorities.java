package io.tributary.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** CAs and certificates of nodes for localhost as PEM files, created by the JDK's keytool. */
public final class TestAuthorities {
    private static final String PASSWORD = "changeit";

    private final Path folder;
    private final Path store;

    /** @param folder receives all files; another object for the same folder continues with its CAs */
    public TestAuthorities(Path folder) {
        this.folder = folder;
        this.store = folder.resolve("all.p12");
    }

    /** Creates a CA of this name; returns its certificate. */
    public Path authority(String name) throws Exception {
        keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-ext", "bc:c", "-validity", "30");
        return certificate(name, folder.resolve(name + "-ca.pem"));
    }

    /** A node's configuration: a certificate of one CA, and another or the same CA that it trusts. */
    public GrpcTlsConfig node(String name, String authority, Path trusted, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-genkeypair",
                "-alias",
                name,
                "-signer",
                authority,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1"));
        arguments.addAll(more.length == 0 ? List.of("-validity", "30") : List.of(more));
        keytool(arguments.toArray(String[]::new));
        Path key = folder.resolve(name + "-key.pem");
        byte[] encoded = load().getKey(name, PASSWORD.toCharArray()).getEncoded();
        Files.writeString(key, pem("PRIVATE KEY", encoded));
        return new GrpcTlsConfig(
                Optional.of(certificate(name, folder.resolve(name + ".pem"))),
                Optional.of(key),
                Optional.of(trusted),
                Optional.of("localhost"),
                false);
    }

    /** Replaces the certificate, key and CA files of a node with those of another. */
    public static void replace(GrpcTlsConfig old, GrpcTlsConfig by) throws IOException {
        Files.copy(by.key().orElseThrow(), old.key().orElseThrow(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(
                by.certificate().orElseThrow(), old.certificate().orElseThrow(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(by.ca().orElseThrow(), old.ca().orElseThrow(), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path certificate(String name, Path file) throws Exception {
        Certificate certificate = load().getCertificate(name);
        return Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
    }

    private static String pem(String what, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    }

    private KeyStore load() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keyalg", "EC", "-storetype", "PKCS12", "-keystore", store.toString()));
        command.addAll(List.of("-storepass", PASSWORD, "-J-XX:TieredStopAtLevel=1"));
        Process made = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (made.waitFor() != 0) {
            throw new IllegalStateException("keytool failed: " + output);
        }
    }
}
