package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponseStatus;

/** An HTTP answer of a page: status, content type and text. */
record PageAnswer(HttpResponseStatus status, String type, String text) {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String JSON = "application/json";

    /** An answer in plain text. */
    PageAnswer(HttpResponseStatus status, String text) {
        this(status, TEXT, text);
    }
}
