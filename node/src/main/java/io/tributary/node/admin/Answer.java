package io.tributary.node.admin;

import io.netty.handler.codec.http.HttpResponseStatus;

/** What a page answers. */
record Answer(HttpResponseStatus status, String type, String text) {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String JSON = "application/json";

    /** For people. */
    Answer(HttpResponseStatus status, String text) {
        this(status, TEXT, text);
    }
}
