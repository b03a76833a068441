package io.tributary.common.io;

import io.tributary.common.error.TributaryException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that is loaded from some files and loaded again when one of them changes; if the changed files cannot be used, the previous
 * value stays in use until they can. Any thread.
 *
 * @param <T> the loaded value
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
     * @param load makes the value from the files, or throws if that is not possible
     * @throws TributaryException thrown by {@code load} the first time
     */
    public ReloadedFiles(List<Path> files, Supplier<T> load) {
        this.files = List.copyOf(files);
        this.load = load;
        this.stamps = stamps();
        this.current = load.get();
    }

    /** The value of the last successful load. */
    public T current() {
        return current;
    }

    /** The problem with the files as they are now; empty if there is none. */
    public String problem() {
        return problem;
    }

    /** Checks whether a file has changed, and loads the value again if so. */
    public synchronized void refresh() {
        List<FileStamp> now = stamps();
        if (now.equals(stamps)) {
            return;
        }
        stamps = now;
        try {
            current = load.get();
            problem = "";
            LOG.info("files reloaded: files={}", files);
        } catch (TributaryException e) {
            problem = e.getMessage();
            LOG.error(
                    "files not usable: effect=\"their previous content stays in use\" action=\"correct the files\""
                            + " error=\"{}\"",
                    e.line());
        }
    }

    private List<FileStamp> stamps() {
        return files.stream().map(FileStamp::of).toList();
    }
}
