package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponse;

/**
 * The headers that keep a browser from doing more with an answer than the console needs: no script, style or request of another origin, no inline
 * script, no frames, no guesses of content types.
 */
final class PageHeaders {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private PageHeaders() {}

    static void set(HttpResponse response) {
        response.headers()
                .set("Content-Security-Policy", POLICY)
                .set("X-Content-Type-Options", "nosniff")
                .set("X-Frame-Options", "DENY")
                .set("Referrer-Policy", "no-referrer")
                .set("Cross-Origin-Opener-Policy", "same-origin")
                .set("Cross-Origin-Resource-Policy", "same-origin")
                .set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    }
}
