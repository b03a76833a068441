package io.tributary.local;

import io.tributary.common.rpc.GrpcTlsConfig;
import io.tributary.mysql.protocol.tls.MadeCertificate;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of a node's properties file; a value for each, kept in order. */
public final class NodeConfig {
    private final Map<String, String> keys = new LinkedHashMap<>();

    /** A node on loopback with these shards, its files in a folder, and free ports of the caller's choice. */
    public static NodeConfig of(
            List<MysqlServer> shards, MysqlUser user, Path folder, int servePort, int adminPort, MysqlUser reader) {
        NodeConfig config = new NodeConfig();
        config.set("server.id", "4711")
                .set("binlog.directory", folder.resolve("binlog").toString())
                .set("store.directory", folder.resolve("store").toString())
                .set("serve.listen", "127.0.0.1:" + servePort)
                .set("serve.user", reader.name())
                .set("serve.password", reader.password())
                .set("admin.listen", "127.0.0.1:" + adminPort);
        for (MysqlServer shard : shards) {
            config.shard(shard, shard.port(), user);
        }
        return config;
    }

    /** Names a shard, reached at a port on loopback which may be a proxy's. */
    public NodeConfig shard(MysqlServer shard, int port, MysqlUser user) {
        String prefix = "shard." + shard.name() + ".";
        return set(prefix + "host", shard.host())
                .set(prefix + "port", Integer.toString(port))
                .set(prefix + "user", user.name())
                .set(prefix + "password", user.password());
    }

    /** Has the node connect to all its shards without TLS: a node that is started often starts in half the time. */
    public NodeConfig withoutTls() {
        for (String key : List.copyOf(keys.keySet())) {
            if (key.startsWith("shard.") && key.endsWith(".host")) {
                set(key.substring(0, key.length() - "host".length()) + "tls", "disabled");
            }
        }
        return this;
    }

    /** The CA, and the certificate and key that prove the node to others and others to it. */
    public NodeConfig tlsBetweenNodes(GrpcTlsConfig files) {
        return set("grpc.tls.ca", files.ca().orElseThrow().toString())
                .set("grpc.tls.certificate", files.certificate().orElseThrow().toString())
                .set("grpc.tls.key", files.key().orElseThrow().toString())
                .set("grpc.tls.name", files.name().orElseThrow());
    }

    /** Has the node serve with the certificate in this folder, in place of one that it makes for itself at its first start. */
    NodeConfig withCertificate(Path folder) {
        return set(
                        "serve.tls.certificate",
                        folder.resolve(MadeCertificate.CERTIFICATE).toString())
                .set("serve.tls.key", folder.resolve(MadeCertificate.KEY).toString());
    }

    /** Has the node make a certificate for itself, as it does by default. */
    public NodeConfig withOwnCertificate() {
        return remove("serve.tls.certificate").remove("serve.tls.key");
    }

    public NodeConfig set(String key, String value) {
        keys.put(key, value);
        return this;
    }

    public NodeConfig remove(String key) {
        keys.remove(key);
        return this;
    }

    public String get(String key) {
        return keys.get(key);
    }

    /** A copy to change. */
    public NodeConfig copy() {
        NodeConfig copy = new NodeConfig();
        copy.keys.putAll(keys);
        return copy;
    }

    /** Writes it as a properties file that only its owner may read. */
    public Path write(Path file) {
        StringBuilder text = new StringBuilder();
        keys.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
