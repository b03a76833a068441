package io.tributary.dumper.serve;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.Archive;
import io.tributary.dumper.BinlogFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An archive that has copies of files, and brings one only when the test says so. */
final class KeptFiles implements Archive {
    private final Path folder;
    private final List<Archived> files = new ArrayList<>();
    private final Set<String> there = ConcurrentHashMap.newKeySet();
    private final Set<Kept> open = ConcurrentHashMap.newKeySet();
    private volatile ErrorCode failure;

    KeptFiles(Path folder) {
        this.folder = folder;
    }

    void keep(BinlogFile file) throws IOException {
        Files.copy(file.path(), Files.createDirectories(folder).resolve(file.name()));
        files.add(new Archived(file.name(), file.end(), file.previousGtids()));
    }

    /** From now on a file is there for who asks or has asked. */
    void bring(String name) {
        there.add(name);
        open.stream().filter(loan -> loan.name.equals(name)).forEach(loan -> loan.told.run());
    }

    /** Who asks or has asked finds that the file cannot be had. */
    void fail(ErrorCode code) {
        failure = code;
        open.forEach(loan -> loan.told.run());
    }

    /** What somebody has borrowed or waits for. */
    List<String> open() {
        return open.stream().map(loan -> loan.name).sorted().toList();
    }

    @Override
    public List<Archived> files() {
        return List.copyOf(files);
    }

    @Override
    public Optional<Loan> borrow(String name, Runnable told) {
        if (files.stream().noneMatch(file -> file.name().equals(name))) {
            return Optional.empty();
        }
        Kept loan = new Kept(name, told);
        open.add(loan);
        return Optional.of(loan);
    }

    private final class Kept implements Loan {
        private final String name;
        private final Runnable told;

        Kept(String name, Runnable told) {
            this.name = name;
            this.told = told;
        }

        @Override
        public Optional<Path> path() {
            if (failure != null) {
                throw new TributaryException(failure, "the store is " + failure);
            }
            return there.contains(name) ? Optional.of(folder.resolve(name)) : Optional.empty();
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }
}
