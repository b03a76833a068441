package io.tributary.sink.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import io.tributary.mysql.protocol.tls.CertificateAuthority;
import io.tributary.testkit.server.ApicurioRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaRegistryTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String INT =
            "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
    private static final String STRING = INT.replace("\"int\"", "\"string\"");

    private final List<HttpServer> stubs = new ArrayList<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        stubs.forEach(stub -> stub.stop(0));
    }

    /** An address that answers each request with this. */
    private URI stub(int status, String body) throws IOException {
        HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stub.createContext("/", exchange -> answer(exchange, status, body));
        stub.start();
        stubs.add(stub);
        return URI.create("http://127.0.0.1:" + stub.getAddress().getPort() + "/base/");
    }

    private void answer(HttpExchange exchange, int status, String body) throws IOException {
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " " + sent);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static SchemaRegistry registry(URI... addresses) {
        return new SchemaRegistry(new RegistryAccess(List.of(addresses), Optional.empty(), Optional.empty(), LIMIT));
    }

    private static URI nobody() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }

    private static TributaryException failure(SchemaRegistry registry) {
        TributaryException error = assertThrows(TributaryException.class, () -> registry.id("t-value", INT));
        assertEquals(ErrorCode.SINK_REGISTRY_FAILED, error.code());
        assertTrue(error.getMessage().contains("t-value"), error.getMessage());
        return error;
    }

    @Test
    void aRealRegistryGivesIdsRefusesAndComesBack() {
        try (ApicurioRegistry real = ApicurioRegistry.start()) {
            SchemaRegistry registry = registry(real.address());
            int id = registry.id("t-value", INT);
            assertEquals(id, registry(real.address()).id("t-value", INT));
            assertTrue(real.get("/schemas/ids/" + id).contains("\\\"int\\\""));
            assertNotEquals(id, registry.id("other-value", STRING));
            real.compatibility("t-value", "BACKWARD");
            TributaryException refused = assertThrows(TributaryException.class, () -> registry.id("t-value", STRING));
            assertEquals(ErrorCode.SINK_REGISTRY_FAILED, refused.code());
            assertTrue(refused.getMessage().contains("status 409"), refused.getMessage());
            assertTrue(refused.getMessage().contains("subject t-value"), refused.getMessage());
            assertTrue(refused.getMessage().contains("/config/t-value"), refused.getMessage());
            assertFalse(refused.getMessage().contains("retried"), refused.getMessage());
            real.compatibility("t-value", "NONE");
            int changed = registry.id("t-value", STRING);
            assertNotEquals(id, changed);
            real.kill9();
            assertEquals(id, registry.id("t-value", INT), "a known schema needs no registry");
            TributaryException away = assertThrows(TributaryException.class, () -> registry.id("new-value", INT));
            assertTrue(away.getMessage().contains("it will be retried"), away.getMessage());
            real.restart();
            int again = registry.id("new-value", INT);
            assertEquals(again, registry.id("new-value", INT));
        }
    }

    @Test
    void aRequestHasTheContentTypeTheLoginAndTheEncodedSubject() throws IOException {
        URI address = stub(200, "{\"id\": 7}");
        SchemaRegistry registry = new SchemaRegistry(
                new RegistryAccess(List.of(address), Optional.of("user:pass"), Optional.empty(), LIMIT));
        assertEquals(7, registry.id("a/b c.d-value", "{\"type\":\"string\"}"));
        assertEquals(7, registry.id("a/b c.d-value", "{\"type\":\"string\"}"));
        assertEquals(
                List.of("POST /base/subjects/a%2Fb%20c.d-value/versions application/vnd.schemaregistry.v1+json"
                        + " Basic dXNlcjpwYXNz {\"schema\":\"{\\\"type\\\":\\\"string\\\"}\"}"),
                requests,
                "the second call must be answered from memory");
    }

    @Test
    void anotherAddressIsUsedIfOneIsAwayOrFails() throws IOException {
        assertEquals(
                8,
                registry(nobody(), stub(503, "busy"), stub(200, "{\"id\":8}")).id("t-value", INT));
    }

    @Test
    void theAddressThatAnsweredIsAskedFirst() throws IOException {
        SchemaRegistry registry = registry(stub(500, "x"), stub(200, "{\"id\":8}"));
        assertEquals(8, registry.id("t-value", INT));
        assertEquals(8, registry.id("t-value", STRING));
        assertEquals(3, requests.size());
    }

    @Test
    void failuresOfTheServerAreRetried() throws IOException {
        String message = failure(registry(stub(503, "busy"))).getMessage();
        assertTrue(message.contains("status 503: busy"), message);
        assertTrue(message.contains("it will be retried"), message);
    }

    @Test
    void refusalsAreFinalAndAskNoOtherAddress() throws IOException {
        String message =
                failure(registry(stub(401, "who?"), stub(200, "{\"id\":8}"))).getMessage();
        assertTrue(message.contains("status 401: who?"), message);
        assertTrue(message.contains("login"), message);
        assertFalse(message.contains("retried"), message);
        assertEquals(1, requests.size());
    }

    @Test
    void anotherServiceAtTheAddressIsNamed() throws IOException {
        assertTrue(failure(registry(stub(200, "<html>"))).getMessage().contains("<html>"));
        assertTrue(failure(registry(stub(404, "nothing here")))
                .getMessage()
                .contains("must be that of a registry with Confluent's interface"));
    }

    @Test
    void aSilentRegistryIsGivenUpAfterTheTimeLimit() throws IOException {
        try (java.net.ServerSocket silent = new java.net.ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            SchemaRegistry registry = new SchemaRegistry(new RegistryAccess(
                    List.of(URI.create("http://127.0.0.1:" + silent.getLocalPort())),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofMillis(300)));
            assertTrue(failure(registry).getMessage().contains("it will be retried"));
        }
    }

    @Test
    void theCertificatesOfAFileAreTrustedAndNoOthers(@TempDir Path folder) throws Exception {
        CertificateAuthority.Pair authority =
                CertificateAuthority.create("registries", Duration.ofDays(1), Clock.SYSTEM);
        Path trusted = Files.writeString(folder.resolve("ca.pem"), authority.certificate());
        X509Certificate[] own = PemFiles.certificates(trusted);
        Path ownKey = Files.writeString(folder.resolve("ca-key.pem"), authority.key());
        CertificateAuthority.Pair pair = new CertificateAuthority(
                        own[0], PemFiles.keyOf(ownKey, own, trusted), Clock.SYSTEM)
                .node("registry", List.of("127.0.0.1"), Duration.ofDays(1));
        Path certificate = Files.writeString(folder.resolve("cert.pem"), pair.certificate());
        X509Certificate[] chain = PemFiles.certificates(certificate);
        Path key = Files.writeString(folder.resolve("key.pem"), pair.key());
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("registry", PemFiles.keyOf(key, chain, certificate), new char[0], chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer stub = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stub.setHttpsConfigurator(new HttpsConfigurator(context));
        stub.createContext("/", exchange -> answer(exchange, 200, "{\"id\":9}"));
        stub.start();
        stubs.add(stub);
        URI address = URI.create("https://127.0.0.1:" + stub.getAddress().getPort());
        RegistryAccess access = new RegistryAccess(List.of(address), Optional.empty(), Optional.of(trusted), LIMIT);
        assertEquals(9, new SchemaRegistry(access).id("t-value", INT));
        assertTrue(failure(registry(address)).getMessage().contains("it will be retried"));
        assertEquals(1, requests.size());
    }

    /** It would be in messages. */
    @Test
    void aLoginIsNotPartOfAnAddress() {
        URI address = URI.create("http://user:secret@127.0.0.1:1");
        String message = assertThrows(IllegalArgumentException.class, () -> registry(address))
                .getMessage();
        assertFalse(message.contains("secret"), message);
    }

    @Test
    void anInterruptEndsARequest() throws IOException {
        try (java.net.ServerSocket silent = new java.net.ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            SchemaRegistry registry = registry(URI.create("http://127.0.0.1:" + silent.getLocalPort()));
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, () -> registry.id("t-value", INT));
            assertTrue(Thread.interrupted());
        }
    }
}
