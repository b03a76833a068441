package io.tributary.serve;

import io.tributary.binlog.Archive;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An archive with copies of files, which makes a file available only when the test requests it. */
final class KeptFiles implements Archive {
    private final Path folder;
    private final List<Archived> files = new ArrayList<>();
    private final Set<String> fetched = ConcurrentHashMap.newKeySet();
    private final Set<Kept> open = ConcurrentHashMap.newKeySet();
    private volatile ErrorCode failure;

    KeptFiles(Path folder) {
        this.folder = folder;
    }

    void keep(BinlogFile file) throws IOException {
        Files.copy(file.path(), Files.createDirectories(folder).resolve(file.name()));
        files.add(new Archived(file.name(), file.end(), file.previousGtids()));
    }

    /** Makes a file available for current and later requests. */
    void fetch(String name) {
        fetched.add(name);
        open.stream().filter(loan -> loan.name.equals(name)).forEach(loan -> loan.onDone.run());
    }

    /** Makes current and later requests fail. */
    void fail(ErrorCode code) {
        failure = code;
        open.forEach(loan -> loan.onDone.run());
    }

    /** Names of the files with open requests. */
    List<String> open() {
        return open.stream().map(loan -> loan.name).sorted().toList();
    }

    @Override
    public List<Archived> files() {
        return List.copyOf(files);
    }

    @Override
    public Optional<Loan> borrow(String name, Runnable onDone) {
        if (files.stream().noneMatch(file -> file.name().equals(name))) {
            return Optional.empty();
        }
        Kept loan = new Kept(name, onDone);
        open.add(loan);
        return Optional.of(loan);
    }

    private final class Kept implements Loan {
        private final String name;
        private final Runnable onDone;

        Kept(String name, Runnable onDone) {
            this.name = name;
            this.onDone = onDone;
        }

        @Override
        public Optional<Path> path() {
            if (failure != null) {
                throw new TributaryException(failure, "the store is " + failure);
            }
            return fetched.contains(name) ? Optional.of(folder.resolve(name)) : Optional.empty();
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }
}
