package io.tributary.common.config;

/** A value of the configuration that is never printed: a password or a key. */
public final class Secret {
    private final String text;

    /** @param text may be empty */
    public Secret(String text) {
        this.text = text;
    }

    /** The value itself; only for the code that uses it. */
    public String reveal() {
        return text;
    }

    /** Whether it is the empty text. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && text.equals(secret.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
