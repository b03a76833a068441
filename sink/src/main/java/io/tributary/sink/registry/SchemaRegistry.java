package io.tributary.sink.registry;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.tls.PemFiles;
import io.tributary.replay.row.JsonString;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A schema registry with Confluent's REST interface (Confluent Platform, "Schema Registry API Reference": {@code POST /subjects/{subject}/versions}), as
 * Confluent's and Apicurio's. Thread-safe. Each schema is registered once; its id is remembered.
 */
public final class SchemaRegistry implements SchemaIds {
    private static final String CONTENT = "application/vnd.schemaregistry.v1+json";
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(\\d{1,10})");
    private static final int MOST_REMEMBERED = 10_000;
    private static final int SHOWN = 1_000;

    private final RegistryAccess access;
    private final HttpClient http;
    private final Map<Registered, Integer> ids = new ConcurrentHashMap<>();
    private volatile int current;

    /** A schema of a subject. */
    private record Registered(String subject, String schema) {}

    /** @throws TributaryException TLS_UNUSABLE */
    public SchemaRegistry(RegistryAccess access) {
        this.access = access;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(access.timeout());
        access.authorities().ifPresent(file -> builder.sslContext(trust(file)));
        this.http = builder.build();
    }

    private static SSLContext trust(Path file) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (X509Certificate certificate : PemFiles.certificates(file)) {
                store.setCertificateEntry(Integer.toString(store.size()), certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw PemFiles.unusable(file, "certificates that can be trusted", e.toString(), e);
        }
    }

    /**
     * Registers a schema if it is new. Blocks for at most twice the time limit for each address.
     *
     * @throws TributaryException SINK_REGISTRY_FAILED if the registry refuses it, or if none answers
     * @throws CancellationException after an interrupt
     */
    @Override
    public int id(String subject, String schema) {
        Registered key = new Registered(subject, schema);
        Integer known = ids.get(key);
        if (known != null) {
            return known;
        }
        int id = register(subject, schema);
        if (ids.size() >= MOST_REMEMBERED) {
            ids.clear();
        }
        ids.put(key, id);
        return id;
    }

    /** Asks the address that answered last, then the others. */
    private int register(String subject, String schema) {
        byte[] body = concat("{\"schema\":", JsonString.quoted(schema), "}");
        int first = current;
        List<String> failures = new ArrayList<>();
        IOException last = null;
        for (int i = 0; i < access.addresses().size(); i++) {
            int index = (first + i) % access.addresses().size();
            URI address = access.addresses().get(index);
            try {
                HttpResponse<String> answer =
                        http.send(request(address, subject, body), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() < 500) {
                    current = index;
                    return idOf(answer, address, subject);
                }
                failures.add(address + ": status " + answer.statusCode() + ": " + shown(answer.body()));
            } catch (IOException e) {
                last = e;
                failures.add(address + ": " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted during a request to " + address);
            }
        }
        throw new TributaryException(
                ErrorCode.SINK_REGISTRY_FAILED,
                "subject " + subject
                        + ": expected the id of a schema from a registry, found none that answers; it will be"
                        + " retried: " + String.join("; ", failures),
                last);
    }

    /**
     * Asks each address for its subjects and changes nothing: for a check before the start.
     *
     * @return one line for each address that does not answer, or refuses
     */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (URI address : access.addresses()) {
            try {
                HttpResponse<String> answer =
                        http.send(builder(address, "/subjects").GET().build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() >= 400) {
                    problems.add(address + ": expected its subjects, found status " + answer.statusCode() + ": "
                            + shown(answer.body()));
                }
            } catch (IOException e) {
                problems.add(address + ": expected an answer, found " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted during a request to " + address);
            }
        }
        return problems;
    }

    private static byte[] concat(String before, byte[] middle, String after) {
        byte[] all = new byte[before.length() + middle.length + after.length()];
        System.arraycopy(before.getBytes(StandardCharsets.US_ASCII), 0, all, 0, before.length());
        System.arraycopy(middle, 0, all, before.length(), middle.length);
        System.arraycopy(
                after.getBytes(StandardCharsets.US_ASCII), 0, all, before.length() + middle.length, after.length());
        return all;
    }

    private HttpRequest request(URI address, String subject, byte[] body) {
        String name = URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
        return builder(address, "/subjects/" + name + "/versions")
                .header("Content-Type", CONTENT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    private HttpRequest.Builder builder(URI address, String path) {
        String base = address.toString().replaceAll("/+$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(access.timeout())
                .header("Accept", CONTENT);
        access.login()
                .ifPresent(login -> request.header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8))));
        return request;
    }

    private static int idOf(HttpResponse<String> answer, URI address, String subject) {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) {
            Matcher id = ID.matcher(answer.body());
            if (id.find() && Long.parseLong(id.group(1)) <= Integer.MAX_VALUE) {
                return Integer.parseInt(id.group(1));
            }
            throw refused(address, subject, "an id of 31 bits", "the answer " + shown(answer.body()), "");
        }
        String advice = status == 409
                ? "; change the table so that the compatibility of the subject allows it, or change the compatibility (PUT"
                        + " /config/" + subject + ", such as NONE)"
                : status == 401 || status == 403
                        ? "; give the sink a login that may register schemas"
                        : status == 404 ? "; the address must be that of a registry with Confluent's interface" : "";
        throw refused(
                address,
                subject,
                "that the schema is accepted",
                "status " + status + ": " + shown(answer.body()),
                advice);
    }

    private static TributaryException refused(
            URI address, String subject, String expected, String found, String advice) {
        return new TributaryException(
                ErrorCode.SINK_REGISTRY_FAILED,
                "registry " + address + ", subject " + subject + ": expected " + expected + ", found " + found
                        + advice);
    }

    private static String shown(String body) {
        String text = body.strip();
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
