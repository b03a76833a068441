package io.tributary.local;

import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.rpc.GrpcTlsConfig;
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

/** The keys and values of a node's properties file, in order. */
public final class NodeConfig {
    private final Map<String, String> keys = new LinkedHashMap<>();

    /** The configuration of a node on loopback with these shards, its files in a folder, and the caller's ports. */
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

    /** Adds a shard, at a port on loopback which may be the port of a proxy. */
    public NodeConfig shard(MysqlServer shard, int port, MysqlUser user) {
        String prefix = "shard." + shard.name() + ".";
        return set(prefix + "host", shard.host())
                .set(prefix + "port", Integer.toString(port))
                .set(prefix + "user", user.name())
                .set(prefix + "password", user.password());
    }

    /** Makes a new stream begin after what the shards have executed at the node's first start. */
    public NodeConfig startingAtLatest() {
        for (String key : List.copyOf(keys.keySet())) {
            if (key.startsWith("shard.") && key.endsWith(".host")) {
                set(key.substring(0, key.length() - "host".length()) + "start", "latest");
            }
        }
        return this;
    }

    /** Makes the node connect to all its shards without TLS: its start takes half the time. */
    public NodeConfig withoutTls() {
        for (String key : List.copyOf(keys.keySet())) {
            if (key.startsWith("shard.") && key.endsWith(".host")) {
                set(key.substring(0, key.length() - "host".length()) + "tls", "disabled");
            }
        }
        return this;
    }

    /** Sets the CA, certificate and key for mutual TLS between nodes. */
    public NodeConfig tlsBetweenNodes(GrpcTlsConfig files) {
        return set("grpc.tls.ca", files.ca().orElseThrow().toString())
                .set("grpc.tls.certificate", files.certificate().orElseThrow().toString())
                .set("grpc.tls.key", files.key().orElseThrow().toString())
                .set("grpc.tls.name", files.name().orElseThrow());
    }

    /** Makes the node serve with the certificate in this folder. Without it, the node creates its own certificate at its first start. */
    NodeConfig withCertificate(Path folder) {
        return set(
                        "serve.tls.certificate",
                        folder.resolve(SelfSignedCertificate.CERTIFICATE).toString())
                .set("serve.tls.key", folder.resolve(SelfSignedCertificate.KEY).toString());
    }

    /** Makes the node create its own certificate, which is the default. */
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

    /** An independent copy. */
    public NodeConfig copy() {
        NodeConfig copy = new NodeConfig();
        copy.keys.putAll(keys);
        return copy;
    }

    /** Writes the properties file with mode rw-------. */
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
