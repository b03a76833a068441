package io.tributary.apply.server;

import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.StatementPacket;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;

/**
 * Applies what runs alone, while all sessions are idle: statements, and transactions that are too large to be held, of which each piece is sent when
 * it was read. After an error a later run begins the transaction again. For one thread.
 */
public final class AloneSession implements AutoCloseable {
    private final ApplyServer server;
    private final ApplyProgress progress;
    private final RowForm form;
    private SqlSession rows;
    private SqlSession statements;
    private SqlSession open;

    /** @param form for this session only */
    public AloneSession(ApplyServer server, ApplyProgress progress, RowForm form) {
        this.server = server;
        this.progress = progress;
        this.form = form;
    }

    /** Begins a transaction of which pieces follow. */
    public void begin(ReplayTransaction transaction) {
        if (rows == null) {
            rows = server.openRows();
        }
        open = rows;
        progress.begin(open, transaction);
    }

    /** The next events of the transaction that has begun. */
    public void piece(ReplayTransaction transaction, byte[] events) {
        StatementPacket packet = new StatementPacket(open);
        try {
            form.add(packet, events);
            packet.send();
        } catch (MysqlServerError e) {
            throw open.failed(transaction.toString(), e);
        }
    }

    /**
     * Commits the transaction that has begun.
     *
     * @param before number of the transaction before it in the stream
     */
    public void commit(long before, ReplayTransaction transaction) {
        progress.commit(open, before, transaction);
        open = null;
        closeStatements();
    }

    /** Executes a statement; see {@link ApplyProgress#execute}. */
    public void execute(long before, ApplyStatement statement, ReplayTransaction transaction) {
        progress.execute(openStatements(), before, statement, transaction);
        closeStatements();
    }

    /**
     * Executes a CREATE TABLE ... SELECT; pieces follow.
     *
     * @return whether the table is locked until the end of its transaction
     */
    public boolean beginWith(ApplyStatement statement, ReplayTransaction transaction) {
        open = openStatements();
        open.allowSeveralStatements();
        boolean isOpen = progress.beginWith(open, statement, transaction);
        if (!isOpen) {
            begin(transaction);
        }
        return isOpen;
    }

    /** Each statement has a session of its own, so that no setting of an earlier one remains. */
    private SqlSession openStatements() {
        closeStatements();
        statements = server.openStatements();
        return statements;
    }

    private void closeStatements() {
        if (statements != null) {
            statements.close();
            statements = null;
        }
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
        closeStatements();
    }
}
