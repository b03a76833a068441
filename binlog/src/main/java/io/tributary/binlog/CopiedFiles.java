package io.tributary.binlog;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogIndex;
import io.tributary.binlog.file.DirectorySync;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.FileVerifier;
import io.tributary.binlog.file.IoErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A follower's copies of the leader's files, after a recovery.
 *
 * @param files empty while it has no file
 * @param tail the verifier of the last file; an empty one while there is no file
 */
public record CopiedFiles(Optional<BinlogFiles> files, FileVerifier tail) {
    static final CopiedFiles NOTHING = new CopiedFiles(Optional.empty(), new FileVerifier(new UUID(0, 0)));

    /** End of the copies: after the last cut, or after the last file's ROTATE event. */
    public FileOffset end() {
        return files.map(all -> all.written().get(all.written().size() - 1))
                .map(last -> new FileOffset(last.number(), last.written()))
                .orElse(FileOffset.NONE);
    }

    /** The same state with files that readers already use: they keep their file objects. */
    public CopiedFiles into(BinlogFiles known) {
        files.ifPresent(known::resumeWith);
        return new CopiedFiles(Optional.of(known), tail);
    }

    /**
     * The files of a follower that has just received its first one.
     *
     * @param first is durable up to the end of {@code tail}
     */
    public static BinlogFiles begin(BinlogDirectory directory, BinlogConfig config, Path first, FileVerifier tail) {
        try {
            new BinlogIndex(directory.indexPath())
                    .write(List.of(first.getFileName().toString()));
        } catch (IOException e) {
            throw IoErrors.of(directory.path(), "write the index", e);
        }
        BinlogFile file = new BinlogFile(first, tail.end(), false, tail.previousGtids());
        BinlogFiles files = new BinlogFiles(
                directory,
                config.serverId(),
                List.of(file),
                tail.gno(),
                tail.cut().number());
        files.requireAcknowledgementOfAll();
        return files;
    }

    /**
     * Deletes everything after a place, for a follower whose files differ from the leader's after it. Nothing may write meanwhile, and a
     * recovery must follow.
     *
     * @param place after a cut or a ROTATE event; {@link FileOffset#NONE} to delete everything
     */
    public static void cutOff(BinlogDirectory directory, FileOffset place) {
        Path folder = directory.path();
        try {
            List<String> names = directory.fileNames();
            List<String> keep = names.stream()
                    .filter(name -> place.offset() > 0 && BinlogDirectory.number(name) <= place.file())
                    .toList();
            BinlogIndex index = new BinlogIndex(directory.indexPath());
            List<String> listed = index.exists() ? index.read() : names;
            index.write(keep.stream().filter(listed::contains).toList());
            for (String name : names) {
                if (!keep.contains(name)) {
                    Files.deleteIfExists(folder.resolve(name + ".idx"));
                    Files.deleteIfExists(folder.resolve(name));
                }
            }
            DirectorySync.force(folder);
            if (place.offset() > 0) {
                try (FileChannel channel =
                        FileChannel.open(folder.resolve(directory.fileName(place.file())), StandardOpenOption.WRITE)) {
                    channel.truncate(place.offset());
                    channel.force(true);
                }
            }
        } catch (IOException e) {
            throw IoErrors.of(folder, "truncate the binlog after " + place, e);
        }
    }
}
