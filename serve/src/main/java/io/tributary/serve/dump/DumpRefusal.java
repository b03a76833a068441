package io.tributary.serve.dump;

/** Thrown when a dump cannot begin or continue. A replica that receives it (error 1236) stops for good. */
public final class DumpRefusal extends RuntimeException {
    public DumpRefusal(String message) {
        super(message);
    }
}
