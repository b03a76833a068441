package io.tributary.node.command.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.binlog.file.IoErrors;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.RowChange;
import io.tributary.common.gtid.Gtid;
import io.tributary.node.command.order.StoredFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Prints the statements that undo the changes, the newest change first, each transaction in a transaction of its own. Until all changes are read, the
 * statements are in a temporary file: each with its length after it, so that the file can be read from its end. For one thread.
 */
final class UndoLog implements SelectedChanges {
    private static final int BUFFER = 1 << 20;

    private final PrintWriter out;
    private final Runnable turn;
    private final Path path;
    private final FileChannel file;
    private final ByteBuf buffer = Unpooled.buffer(BUFFER);
    private ChangeTable table;
    private UndoStatement statements;
    private Gtid last;

    /** @param turn is called often while the statements are printed; what it throws ends that */
    UndoLog(PrintWriter out, Runnable turn) {
        this.out = out;
        this.turn = turn;
        try {
            this.path = Files.createTempFile("tributary-flashback", ".sql");
            this.file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw IoErrors.of(Path.of(System.getProperty("java.io.tmpdir")), "create a temporary file", e);
        }
    }

    @Override
    public void row(ChangeTransaction transaction, RowChange row) throws IOException {
        if (row.table() != table) {
            statements = new UndoStatement(row.table());
            table = row.table();
        }
        if (!transaction.gtid().equals(last)) {
            if (last != null) {
                add("BEGIN"); // read from the end, this is the beginning of the transaction before
                add("-- " + last);
            }
            last = transaction.gtid();
            add("COMMIT");
        }
        int from = buffer.writerIndex();
        statements.append(buffer, row);
        end(from);
    }

    private void add(String text) throws IOException {
        int from = buffer.writerIndex();
        buffer.writeCharSequence(text, StandardCharsets.UTF_8);
        end(from);
    }

    private void end(int from) throws IOException {
        int length = buffer.writerIndex() - from;
        if (length > 0) {
            buffer.writeInt(length);
        }
        if (buffer.writerIndex() > BUFFER) {
            write();
        }
    }

    private void write() throws IOException {
        ByteBuffer bytes = buffer.nioBuffer();
        while (bytes.hasRemaining()) {
            int unused = file.write(bytes);
        }
        buffer.clear();
    }

    @Override
    public boolean needsStatements() {
        return true;
    }

    @Override
    public void statement(ChangeTransaction transaction, ChangeStatement statement) {
        throw StoredFiles.refused(
                "expected transactions of rows, found " + transaction.gtid() + " with the statement " + statement.verb()
                        + ": what it did cannot be undone by changes of rows. Select the transactions after it, or before it");
    }

    @Override
    public void unreadable(ChangeTransaction transaction, String why) {
        throw StoredFiles.refused(
                "expected transactions whose rows can be read, found " + transaction.gtid() + ": " + why);
    }

    @Override
    public void finish() throws IOException {
        if (last == null) {
            out.println("-- no rows were changed");
            out.flush();
            return;
        }
        add("BEGIN");
        add("-- " + last);
        write();
        out.println("SET NAMES utf8mb4;");
        out.println("SET SESSION time_zone = '+00:00', foreign_key_checks = 0,");
        out.println("    sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES';");
        long end = file.size();
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        while (end > 0) {
            turn.run();
            read(length.clear(), end - Integer.BYTES);
            ByteBuffer text = ByteBuffer.allocate(length.getInt(0));
            end -= Integer.BYTES + text.capacity();
            read(text, end);
            String statement = new String(text.array(), StandardCharsets.UTF_8);
            out.println(statement.startsWith("-- ") ? statement : statement + ";");
        }
        out.flush();
    }

    private void read(ByteBuffer into, long at) throws IOException {
        while (into.hasRemaining()) {
            if (file.read(into, at + into.position()) < 0) {
                throw new IOException(
                        "expected " + into.capacity() + " bytes at " + at + " of " + path + ", found its end");
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
