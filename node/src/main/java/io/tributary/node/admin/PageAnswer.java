package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * An HTTP answer of a page: status, content type and text.
 *
 * @param location the page to which a browser is sent; "" if it is not
 */
record PageAnswer(HttpResponseStatus status, String type, String text, String location) {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String JSON = "application/json";

    PageAnswer(HttpResponseStatus status, String type, String text) {
        this(status, type, text, "");
    }

    /** An answer in plain text. */
    PageAnswer(HttpResponseStatus status, String text) {
        this(status, TEXT, text);
    }

    /** An answer that sends a browser to another page of this server. */
    static PageAnswer movedTo(String path) {
        return new PageAnswer(HttpResponseStatus.FOUND, TEXT, "see " + path + "\n", path);
    }
}
