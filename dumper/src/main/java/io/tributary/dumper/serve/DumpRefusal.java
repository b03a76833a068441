package io.tributary.dumper.serve;

/** Thrown when a dump cannot begin or continue. A replica that receives it (error 1236) stops for good. */
final class DumpRefusal extends RuntimeException {
    DumpRefusal(String message) {
        super(message);
    }
}
