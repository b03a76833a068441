package io.tributary.common.io;

import io.tributary.common.error.TributaryException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What some files hold, read again when one of them changes; what they held before goes on where they cannot be used, until they can. Any
 * thread.
 *
 * @param <T> what is made of them
 */
public final class ReloadedFiles<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedFiles.class);

    private final List<Path> files;
    private final Supplier<T> load;
    private volatile T current;
    private volatile String problem = "";
    private List<FileStamp> stamps;

    /**
     * Reads the files.
     *
     * @param load makes something of them, or throws why that cannot be
     * @throws TributaryException what the load throws the first time
     */
    public ReloadedFiles(List<Path> files, Supplier<T> load) {
        this.files = List.copyOf(files);
        this.load = load;
        this.stamps = stamps();
        this.current = load.get();
    }

    /** What they held when they were last looked at. */
    public T current() {
        return current;
    }

    /** What is wrong with the files as they are now; empty where nothing is. */
    public String problem() {
        return problem;
    }

    /** Looks whether there is something newer; reads files. */
    public synchronized void refresh() {
        List<FileStamp> now = stamps();
        if (now.equals(stamps)) {
            return;
        }
        stamps = now;
        try {
            current = load.get();
            problem = "";
            LOG.info("uses {} as they are now", files);
        } catch (TributaryException e) {
            problem = e.getMessage();
            LOG.error("{}; what was there before goes on", e.line());
        }
    }

    private List<FileStamp> stamps() {
        return files.stream().map(FileStamp::of).toList();
    }
}
