package io.tributary.node.command.client;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.admin.AdminAccess;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.console.CertificateState;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** A client of the admin endpoint of a running node. */
public final class AdminClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HostPort admin;
    private final AdminAccess access;
    private final HttpClient http;

    /**
     * @param file the node's configuration, with the address of the endpoint and the login
     * @throws TributaryException TLS_UNUSABLE
     */
    public AdminClient(ConfigFile file) {
        this(file.read(AdminConfig.class));
        access.certificate()
                .map(certificate -> CertificateState.of(certificate, Clock.SYSTEM))
                .filter(CertificateState::hasExpired)
                .flatMap(CertificateState::problem)
                .ifPresent(file::warn);
    }

    public AdminClient(AdminConfig config) {
        this.admin = config.listen();
        this.access = config.access();
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        access.certificate().ifPresent(certificate -> builder.sslContext(PinnedCertificate.context(certificate)));
        this.http = builder.build();
    }

    /** @throws TributaryException NODE_UNREACHABLE */
    public HttpResponse<String> get(String page) throws InterruptedException {
        return send(request(page));
    }

    /**
     * Requests a page as the user of the configuration.
     *
     * @throws TributaryException NODE_UNREACHABLE, ADMIN_LOGIN_REFUSED
     */
    public HttpResponse<String> getAllowed(String page) throws InterruptedException {
        return allowed(get(page));
    }

    /** The text of a page; throws as {@link #getAllowed}, and ADMIN_PAGE_FAILED if the answer is not 200. */
    public String body(String page) throws InterruptedException {
        HttpResponse<String> answer = getAllowed(page);
        if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
            throw new TributaryException(
                    ErrorCode.ADMIN_PAGE_FAILED,
                    "admin.listen: expected the page " + page + " of the node on " + admin + ", found status "
                            + answer.statusCode() + ": " + answer.body().strip());
        }
        return answer.body();
    }

    private HttpResponse<String> allowed(HttpResponse<String> answer) {
        if (answer.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            throw new TributaryException(
                    ErrorCode.ADMIN_LOGIN_REFUSED,
                    "admin.user: expected the login of the node on " + admin + ", found "
                            + access.user()
                                    .map(name -> "user " + name + " with a user name or password that the node refuses")
                                    .orElse("no admin.user in this configuration"));
        }
        return answer;
    }

    /**
     * Requests a change. The request has the header that a web page in a browser cannot set.
     *
     * @throws TributaryException NODE_UNREACHABLE
     */
    public HttpResponse<String> post(String page, String verb) throws InterruptedException {
        return send(request(page).header("X-Tributary-Request", verb).POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** Requests a change as the user of the configuration; throws as {@link #getAllowed}. */
    public HttpResponse<String> postAllowed(String page, String verb) throws InterruptedException {
        return allowed(post(page, verb));
    }

    private HttpRequest.Builder request(String page) {
        String scheme = access.certificate().isPresent() ? "https://" : "http://";
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(scheme + admin + page)).timeout(TIMEOUT);
        access.authorization().ifPresent(login -> request.header("Authorization", login));
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (SSLException e) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE,
                    "admin.listen: expected the node on " + admin + " with the certificate of admin.tls.certificate, "
                            + access.certificate().orElseThrow() + ", found no such TLS connection: "
                            + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE,
                    "admin.listen: expected a node that answers on " + admin
                            + ", found none (start it and run the command again; it can be repeated safely): " + e,
                    e);
        }
    }
}
