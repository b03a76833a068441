package io.tributary.dumper.serve;

/** Why a dump cannot begin or go on; a replica that gets it (error 1236) gives up for good. */
final class DumpRefusal extends RuntimeException {
    DumpRefusal(String message) {
        super(message);
    }
}
