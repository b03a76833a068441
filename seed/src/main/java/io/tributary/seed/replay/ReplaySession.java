package io.tributary.seed.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.BinlogText;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.seed.replica.TargetWriters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of the target that applies transactions. Several small ones are one packet of statements, and a large one is a
 * few; after an error the server does not run the rest of a packet. For one thread; {@link #close} by any.
 */
final class ReplaySession implements AutoCloseable {
    /** BINLOG reports some errors of the storage engine as unknown. */
    private static final MysqlError[] TRANSIENT = {
        MysqlError.ER_LOCK_DEADLOCK, MysqlError.ER_LOCK_WAIT_TIMEOUT, MysqlError.ER_UNKNOWN_ERROR
    };

    private static final Logger LOG = LoggerFactory.getLogger(ReplaySession.class);
    private static final int MOST_ATTEMPTS = 10;
    private static final int PACKET = 1 << 20;
    private static final int SMALLEST = 1024;

    private final SqlSession session;
    private final String check;
    private final Form form;

    /** How transactions are applied. */
    enum Form {
        /** Each is one transaction with its GTID. */
        WITH_GTID,
        /** Several are one transaction, which is not in the target's binlog; the {@link ReplayLog} has their GTIDs. */
        TOGETHER
    }

    private ReplaySession(SqlSession session, String check, Form form) {
        this.session = session;
        this.check = check;
        this.form = form;
    }

    /** Connects; throws TARGET_UNREACHABLE, TARGET_LOGIN_REFUSED, TARGET_FAILED. */
    static ReplaySession open(TargetWriters target, Form form) {
        return open(target, form, target.peer().timeout());
    }

    /** The same with another maximum time for the answer to one statement. */
    static ReplaySession open(TargetWriters target, Form form, Duration timeout) {
        SqlSession session = target.open(timeout);
        try {
            session.allowSeveralStatements();
            session.run(
                    "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
                    "SET SESSION rbr_exec_mode = IDEMPOTENT",
                    "SET SESSION foreign_key_checks = 0, unique_checks = 1",
                    "SET SESSION innodb_lock_wait_timeout = 2");
            ByteBuf text = Unpooled.buffer(1024);
            BinlogText.append(text, BinlogText.formatDescription());
            session.run(text.toString(StandardCharsets.US_ASCII));
            if (form == Form.TOGETHER) {
                session.run(
                        "SET gtid_next='AUTOMATIC'",
                        "SET SESSION sql_log_bin = 0",
                        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
            }
            return new ReplaySession(session, target.check(), form);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    SqlSession sql() {
        return session;
    }

    /** Applies transactions in their order; one is repeated after a deadlock. Throws TARGET_FAILED, TARGET_UNREACHABLE. */
    void apply(List<ReplayTransaction> transactions) {
        try {
            attempt(transactions);
        } catch (MysqlServerError e) {
            LOG.debug("transactions are applied one by one: error=\"{}\"", e.getMessage());
            session.run("ROLLBACK");
            transactions.forEach(
                    this::applyOne); // none has committed, or the server skips those that have, by their GTIDs
        }
    }

    private void applyOne(ReplayTransaction transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                attempt(List.of(transaction));
                return;
            } catch (MysqlServerError e) {
                if (!e.is(TRANSIENT) || attempt == MOST_ATTEMPTS) {
                    throw session.failed(transaction + ", attempt " + attempt, e);
                }
                LOG.info(
                        "transaction is repeated: gtid={} attempt={} error=\"{}\"",
                        transaction.gtid(),
                        attempt,
                        e.getMessage());
                session.run("ROLLBACK");
            }
        }
    }

    private void attempt(List<ReplayTransaction> transactions) {
        Packet packet = new Packet();
        if (form == Form.TOGETHER) {
            packet.add("BEGIN");
            transactions.forEach(transaction -> transaction.pieces().forEach(packet::add));
            packet.add(ReplayLog.store(transactions));
            packet.add(check);
            packet.add("COMMIT");
        } else {
            for (ReplayTransaction transaction : transactions) {
                packet.add("SET gtid_next='" + transaction.gtid() + "'");
                packet.add("BEGIN");
                transaction.pieces().forEach(packet::add);
                packet.add(check);
                packet.add("COMMIT");
            }
        }
        packet.send();
    }

    /** Statements that are sent together. */
    private final class Packet {
        private ByteBuf text = Unpooled.buffer(SMALLEST);
        private int statements;

        void add(String statement) {
            separate();
            text.writeCharSequence(statement, StandardCharsets.US_ASCII);
        }

        void add(byte[] piece) {
            int length = BinlogText.length(piece.length);
            if (text.readableBytes() + length > PACKET) {
                send();
                text = Unpooled.buffer(length + SMALLEST);
                statements = 0;
            }
            separate();
            BinlogText.append(text, piece);
        }

        private void separate() {
            if (statements++ > 0) {
                text.writeByte(';');
            }
        }

        void send() {
            var unused = session.query(text, statements);
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
