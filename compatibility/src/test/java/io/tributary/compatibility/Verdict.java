package io.tributary.compatibility;

/** What the matrix says of a client. */
enum Verdict {
    SAME("the same from both"),
    COPIED("every row once, then the stream"),
    COPIED_LATER("the stream, and every row once"),
    STREAMED("every transaction from its start on"),
    REFUSES_BOTH("refuses the real server as well"),
    DIFFERS("DIFFERS"),
    FAILS("FAILS before Tributary"),
    ONLY_TRIBUTARY("reads Tributary, fails before the real server"),
    NOT_RUN("not run");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** Whether the client gets from Tributary what it gets from a real server. */
    boolean isGood() {
        return this != DIFFERS && this != FAILS;
    }
}
