package io.tributary.backup;

import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Finished files in a folder, with ten transactions each, one second apart. */
public final class LocalFiles implements FinishedFiles {
    public final List<FinishedFile> files = new ArrayList<>();
    final List<Runnable> listeners = new ArrayList<>();
    int needed;
    Optional<TributaryException> trouble = Optional.empty();
    private final Path folder;
    private final Random random;

    public LocalFiles(Path folder, long seed) {
        this.folder = folder;
        this.random = new Random(seed);
    }

    public void add(int bytes) throws IOException {
        int number = files.isEmpty()
                ? 1
                : Manifest.number(files.get(files.size() - 1).name()) + 1;
        Path path = Files.createDirectories(folder).resolve(String.format("binlog.%06d", number));
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        Files.write(path, content);
        Path index = folder.resolve(path.getFileName() + ".idx");
        Files.write(index, new byte[] {1, 2, 3});
        files.add(new FinishedFile(
                path.getFileName().toString(),
                path,
                index,
                bytes,
                number * 10L,
                number * 10L + 9,
                number * 1_000_000L,
                false));
        listeners.forEach(Runnable::run);
    }

    List<String> names() {
        return files.stream().map(FinishedFile::name).toList();
    }

    @Override
    public List<FinishedFile> list() {
        if (trouble.isPresent()) {
            throw trouble.get();
        }
        return List.copyOf(files);
    }

    @Override
    public void keepFrom(int number) {
        needed = number;
    }

    @Override
    public void subscribe(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void unsubscribe(Runnable listener) {
        listeners.remove(listener);
    }
}
