package io.tributary.seed.folder;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The folder that a seed fills. Only its owner may write it, and only its group may read it. Any thread. Its methods throw DISK_FULL and IO_FAILED. */
public final class DumpFolder {
    /** The folder that programs load which know the format of mydumper. */
    static final String DUMP = "dump";

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final String OF_FILE = "rw-r-----";
    private static final String OF_SCRIPT = "rwxr-x---";
    private static final String OF_FOLDER = "rwxr-x---";

    private final Path folder;
    private final Path dump;
    private final DumpNames names = new DumpNames();
    private final Map<TableName, List<Path>> data = new HashMap<>();
    private final Map<TableName, Integer> numbers = new HashMap<>();

    private DumpFolder(Path folder) {
        this.folder = folder;
        this.dump = folder.resolve(DUMP);
    }

    /**
     * Begins to fill a folder that is empty or does not exist.
     *
     * @throws TributaryException TARGET_UNFIT if it is not empty; IO_FAILED
     */
    public static DumpFolder begin(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(absolute, mode(OF_FOLDER));
            try (Stream<Path> entries = Files.list(absolute)) {
                if (entries.findAny().isPresent()) {
                    throw notEmpty(absolute);
                }
            }
            DumpFolder begun = new DumpFolder(absolute);
            Files.createDirectory(begun.dump, mode(OF_FOLDER));
            force(absolute);
            return begun;
        } catch (FileAlreadyExistsException e) { // another seed has begun just now, or it is a file
            throw notEmpty(absolute);
        } catch (IOException e) {
            throw FileErrors.of(absolute, e);
        }
    }

    private static TributaryException notEmpty(Path folder) {
        boolean isComplete = Files.exists(folder.resolve(DUMP).resolve(DumpGuide.METADATA));
        return new TributaryException(
                ErrorCode.TARGET_UNFIT,
                folder + ": expected an empty folder, found "
                        + (isComplete
                                ? "a complete seed | use another folder"
                                : "files, such as those of a seed that has not completed: it cannot be resumed | delete"
                                        + " the folder or use another one"));
    }

    static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The folder, absolute. */
    public Path path() {
        return folder;
    }

    DumpNames names() {
        return names;
    }

    /** Begins the next file with rows of a table. */
    public synchronized DumpFile data(TableName table) {
        int number = numbers.merge(table, 1, Integer::sum) - 1;
        Path file = dump.resolve(names.of(table) + String.format(Locale.ROOT, ".%05d.sql", number));
        data.computeIfAbsent(table, same -> new ArrayList<>()).add(file);
        return DumpFile.create(file, OF_FILE);
    }

    /** Removes the files with rows of a table. */
    public synchronized void forget(TableName table) {
        for (Path file : data.getOrDefault(table, List.of())) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw FileErrors.of(file, e);
            }
        }
        data.remove(table);
    }

    /** Begins a file beside the dump. */
    public DumpFile file(String name) {
        return DumpFile.create(folder.resolve(name), OF_FILE);
    }

    /** Begins a file beside the dump that can be executed. */
    DumpFile script(String name) {
        return DumpFile.create(folder.resolve(name), OF_SCRIPT);
    }

    /** Begins a file of the dump without rows. */
    DumpFile inDump(String name) {
        return DumpFile.create(dump.resolve(name), OF_FILE);
    }
}
