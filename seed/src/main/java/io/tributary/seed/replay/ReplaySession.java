package io.tributary.seed.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.seed.session.Peer;
import io.tributary.seed.session.SqlSession;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of the target that applies transactions. Each is one packet of statements, or a few if it is large; after an error the server
 * does not run the rest of a packet. For one thread; {@link #close} by any.
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
    private static final byte[] COMMIT = ";COMMIT".getBytes(StandardCharsets.US_ASCII);

    private final SqlSession session;

    private ReplaySession(SqlSession session) {
        this.session = session;
    }

    /** Connects; throws TARGET_UNREACHABLE, TARGET_LOGIN_REFUSED, TARGET_FAILED. */
    static ReplaySession open(MysqlClient client, Peer target) {
        SqlSession session = SqlSession.open(client, target);
        try {
            var unused = session.connection()
                    .await(session.connection().allowSeveralStatements(), target.timeout());
            session.run(
                    "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
                    "SET SESSION rbr_exec_mode = IDEMPOTENT",
                    "SET SESSION foreign_key_checks = 0, unique_checks = 1",
                    "SET SESSION innodb_lock_wait_timeout = 5");
            ByteBuf text = Unpooled.buffer(1024);
            BinlogText.append(text, BinlogText.formatDescription());
            session.run(text.toString(StandardCharsets.US_ASCII));
            return new ReplaySession(session);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    SqlSession sql() {
        return session;
    }

    /** Applies a whole transaction, again after a deadlock; throws TARGET_FAILED, TARGET_UNREACHABLE. */
    void apply(ReplayTransaction transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                attempt(transaction);
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

    private void attempt(ReplayTransaction transaction) {
        String begin = "SET gtid_next='" + transaction.gtid() + "';BEGIN";
        ByteBuf packet = Unpooled.buffer(SMALLEST).writeBytes(begin.getBytes(StandardCharsets.US_ASCII));
        int statements = 2;
        for (byte[] piece : transaction.pieces()) {
            if (packet.readableBytes() + BinlogText.length(piece.length) > PACKET) {
                send(packet, statements);
                packet = Unpooled.buffer(BinlogText.length(piece.length) + SMALLEST);
                statements = 0;
            } else {
                packet.writeByte(';');
            }
            BinlogText.append(packet, piece);
            statements++;
        }
        send(packet.writeBytes(COMMIT), statements + 1);
    }

    private void send(ByteBuf packet, int statements) {
        var unused = session.query(packet, statements);
    }

    @Override
    public void close() {
        session.close();
    }
}
