package io.tributary.dumper;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a follower has of the leader's files, after a recovery.
 *
 * @param files empty while it has none
 * @param tail what the last of them holds; one that has seen nothing where there is none
 */
public record CopiedFiles(Optional<BinlogFiles> files, FileTail tail) {
    static final CopiedFiles NOTHING = new CopiedFiles(Optional.empty(), new FileTail(new UUID(0, 0)));

    /** Where they end: behind the last cut, or the last file's ROTATE event. */
    public BinlogPlace end() {
        return files.map(all -> all.written().get(all.written().size() - 1))
                .map(last -> new BinlogPlace(last.number(), last.written()))
                .orElse(BinlogPlace.NONE);
    }

    /** The same for readers that are there already: they keep their files. */
    public CopiedFiles into(BinlogFiles known) {
        files.ifPresent(known::goOnWith);
        return new CopiedFiles(Optional.of(known), tail);
    }

    /** Readers get what a leader calls acknowledged, and are told that this one copies it. */
    public void follow(boolean haveReaders) {
        files.ifPresent(haveReaders ? BinlogFiles::holdBack : BinlogFiles::holdBackAll);
        files.ifPresent(BinlogFiles::follow);
    }

    /**
     * The files of a follower that has just got its first one.
     *
     * @param first is durable up to the tail's end
     */
    public static BinlogFiles begin(BinlogDirectory directory, BinlogConfig config, Path first, FileTail tail) {
        try {
            new BinlogIndex(directory.indexPath())
                    .write(List.of(first.getFileName().toString()));
        } catch (IOException e) {
            throw DiskTrouble.of(directory.path(), "write the index", e);
        }
        BinlogFile file = new BinlogFile(first, tail.end(), false, tail.previousGtids());
        BinlogFiles files = new BinlogFiles(
                directory,
                config.serverId(),
                List.of(file),
                tail.gno(),
                tail.cut().number());
        files.holdBackAll();
        files.follow();
        return files;
    }

    /**
     * Takes away all that lies behind a place: for a follower whose files go on otherwise than the leader's. Nobody may write, and a recovery
     * has to follow.
     *
     * @param place behind a cut or a ROTATE event; {@link BinlogPlace#NONE} for everything
     */
    public static void cutOff(BinlogDirectory directory, BinlogPlace place) {
        Path folder = directory.path();
        try {
            List<String> names = directory.fileNames();
            List<String> stay = names.stream()
                    .filter(name -> place.offset() > 0 && BinlogDirectory.number(name) <= place.file())
                    .toList();
            BinlogIndex index = new BinlogIndex(directory.indexPath());
            List<String> listed = index.exists() ? index.read() : names;
            index.write(stay.stream().filter(listed::contains).toList());
            for (String name : names) {
                if (!stay.contains(name)) {
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
            throw DiskTrouble.of(folder, "cut the binlog off behind " + place, e);
        }
    }
}
