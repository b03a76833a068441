package io.tributary.local;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** An object store with the S3 protocol on loopback that checks signatures. A second port answers each request with an error. */
public final class ObjectStoreServer implements AutoCloseable {
    private static final String BUCKET = "binlogs";
    private static final String KEY = "key";
    private static final String SECRET = "secret";

    private static final int UNAVAILABLE = 503;
    private static final int NO_BODY = -1;
    private static final byte[] SLOW_DOWN = ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>SlowDown</Code>"
                    + "<Message>Please reduce your request rate.</Message></Error>")
            .getBytes(StandardCharsets.UTF_8);

    private final Path folder;
    private final S3Proxy server;
    private final HttpServer failing;

    /** @param folder the objects are stored in it */
    public ObjectStoreServer(Path folder) throws Exception {
        this.folder = folder;
        Files.createDirectories(folder.resolve(BUCKET));
        server = S3Proxy.builder()
                .blobStore(new FilesystemNio2BlobStore(folder.toString()))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, KEY, SECRET)
                .build();
        server.start();
        failing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        failing.createContext("/", exchange -> {
            try (exchange) {
                if (exchange.getRequestMethod().equals("HEAD")) {
                    exchange.sendResponseHeaders(UNAVAILABLE, NO_BODY);
                } else {
                    exchange.sendResponseHeaders(UNAVAILABLE, SLOW_DOWN.length);
                    exchange.getResponseBody().write(SLOW_DOWN);
                }
            } catch (IOException e) {
                exchange.getHttpContext(); // the client has disconnected: no answer is needed
            }
        });
        failing.start();
    }

    /** Configures a node to back up to this store, at host:port, with the store's credentials. */
    public NodeConfig backsUp(NodeConfig config, String address) {
        return config.set("backup.s3.bucket", BUCKET)
                .set("backup.s3.endpoint", "http://" + address)
                .set("backup.s3.access-key", KEY)
                .set("backup.s3.secret-key", SECRET);
    }

    /** The port of the store. */
    public int port() {
        return server.getPort();
    }

    /** The port that answers every request with 503 SlowDown. */
    public int failingPort() {
        return failing.getAddress().getPort();
    }

    /** The folder with the stored objects, as files. */
    public Path bucket() {
        return folder.resolve(BUCKET);
    }

    @Override
    public void close() {
        failing.stop(0);
        try {
            server.stop();
        } catch (Exception e) { // the process ends soon anyway
            throw new IllegalStateException("cannot stop the object store", e);
        }
    }
}
