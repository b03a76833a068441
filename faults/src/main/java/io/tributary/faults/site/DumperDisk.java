package io.tributary.faults.site;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A library between the Dumper and its disk, compiled from disk.c if there is a C compiler. It delays each force to disk, makes writes fail as on a
 * full disk, and records how much of each binlog file has been forced.
 */
public final class DumperDisk {
    private static final String SOURCE = "disk.c";
    private static final List<Path> COMPILERS =
            List.of(Path.of("/usr/bin/cc"), Path.of("/usr/bin/gcc"), Path.of("/usr/bin/clang"));
    private static final int DELAY_AT = 0;
    private static final int FULL_AT = 4;
    private static final int ORDERS = 8;

    private final Path library;
    private final Path orders;
    private final Path notes;
    private int fillings;

    private DumperDisk(Path library, Path orders, Path notes) {
        this.library = library;
        this.orders = orders;
        this.notes = notes;
    }

    /** Compiles the library into the folder; empty if there is no compiler. */
    static Optional<DumperDisk> compile(Path folder) throws IOException {
        Optional<Path> compiler = COMPILERS.stream().filter(Files::isExecutable).findFirst();
        if (compiler.isEmpty()) {
            return Optional.empty();
        }
        Path source = folder.resolve(SOURCE);
        try (InputStream in = DumperDisk.class.getResourceAsStream(SOURCE)) {
            Files.copy(in, source);
        }
        Path library = folder.resolve("disk.so");
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(
                compiler.get().toString(),
                "-shared",
                "-fPIC",
                "-O2",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl"));
        if (outcome.status() != 0) {
            throw new IOException("cannot compile " + source + ": " + outcome.output());
        }
        Path orders = Files.write(folder.resolve("disk.orders"), new byte[ORDERS]);
        return Optional.of(new DumperDisk(library, orders, folder.resolve("disk.notes")));
    }

    /** Loads the library into a node from its next start on. */
    DumperDisk under(NodeProcess node) {
        node.with("LD_PRELOAD", library.toString())
                .with("FAULTS_DISK_ORDERS", orders.toString())
                .with("FAULTS_DISK_NOTES", notes.toString());
        return this;
    }

    /** Makes each force to disk take this much longer from now on. */
    public void delay(Duration delay) throws IOException {
        order(DELAY_AT, (int) delay.toMillis());
    }

    /** Sets whether writes fail with ENOSPC from now on. The first write fails after a part of its bytes. */
    public void full(boolean on) throws IOException {
        fillings += on ? 1 : 0;
        order(FULL_AT, on ? fillings : 0);
    }

    private void order(int at, int value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(0, value);
        try (FileChannel channel = FileChannel.open(orders, StandardOpenOption.WRITE)) {
            channel.write(bytes, at);
        }
    }

    /** By binlog file name: the number of bytes that were written when the file was last forced to disk. */
    public Map<String, Long> forced() throws IOException {
        Map<String, Long> forced = new HashMap<>();
        for (String line : Files.exists(notes) ? Files.readAllLines(notes) : List.<String>of()) {
            int space = line.indexOf(' ');
            String name = Path.of(line.substring(space + 1)).getFileName().toString();
            forced.put(name, Long.valueOf(line.substring(0, space)));
        }
        return forced;
    }
}
