package io.tributary.testkit.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads the transactions of binlog files in order; an incomplete transaction at the end of the last file is ignored. */
public final class BinlogReader {
    private final List<Path> files;

    private BinlogReader(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** A reader of these files, in this order. */
    public static BinlogReader ofFiles(List<Path> files) {
        return new BinlogReader(files);
    }

    /** A reader of the files in the folder's *.index, else of all files named binlog.NNNNNN in the order of their names. */
    public static BinlogReader ofFolder(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> all = entries.sorted().toList();
            Optional<Path> index = all.stream()
                    .filter(file -> file.getFileName().toString().equals("binlog.index"))
                    .findFirst();
            if (index.isEmpty()) {
                return ofFiles(all.stream()
                        .filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                        .toList());
            }
            return ofFiles(Files.readAllLines(index.get()).stream()
                    .filter(line -> !line.isBlank())
                    .map(line -> folder.resolve(Path.of(line).getFileName()))
                    .toList());
        }
    }

    public List<Path> files() {
        return files;
    }

    /** Passes each transaction to the checks. */
    public void forEach(Check... checks) throws IOException {
        forEach(transaction -> {
            for (Check check : checks) {
                check.accept(transaction);
            }
        });
    }

    /** Passes each transaction to the consumer; verifies every checksum. */
    public void forEach(Consumer<BinlogTransaction> consumer) throws IOException {
        TransactionAssembler assembler = new TransactionAssembler();
        for (Path path : files) {
            try (BinlogFile file = BinlogFile.open(path)) {
                for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                    assembler.accept(event).ifPresent(consumer);
                }
            }
            if (assembler.isInside() && !path.equals(files.get(files.size() - 1))) {
                throw new BinlogDamage(path.getFileName().toString(), Files.size(path), "ends inside a transaction");
            }
        }
    }

    /** All transactions; for tests with few of them. */
    public List<BinlogTransaction> all() throws IOException {
        List<BinlogTransaction> all = new ArrayList<>();
        forEach((Consumer<BinlogTransaction>) all::add);
        return all;
    }
}
