package io.tributary.dumper;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.RefusedTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file beside the binlog that says in words at which transaction the stream was refused last, for the command that leaves it out. Nothing else
 * depends on it: where it is missing, the next start is refused again and writes it.
 */
public final class RefusalNote {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalNote.class);

    private final Path file;

    public RefusalNote(BinlogDirectory directory) {
        this.file = directory.path().resolve("refused");
    }

    /** Notes a failure that names a refused transaction; any other leaves what was noted. */
    public void note(TributaryException failure) {
        if (RefusedTransaction.in(failure.getMessage()).isEmpty()) {
            return;
        }
        try {
            Files.writeString(file, failure.getMessage());
        } catch (IOException e) { // the failure itself is told all the same
            LOG.warn("expected to write {}, which shard skip reads: {}", file, e.toString());
        }
    }

    /**
     * The message of the last refusal.
     *
     * @throws TributaryException IO_FAILED
     */
    public Optional<String> read() {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new TributaryException(ErrorCode.IO_FAILED, "expected to read " + file + ": " + e, e);
        }
    }
}
