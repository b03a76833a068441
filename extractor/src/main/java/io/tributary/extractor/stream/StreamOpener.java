package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.extractor.ReadPosition;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One attempt to open a shard's stream: connect, check that it is the right server and still has the transactions that follow, dump. Polled by
 * the stage's thread; never blocks.
 */
final class StreamOpener implements AutoCloseable {
    /** The time, in seconds, for which the shard waits for a reader that cannot read because of back-pressure. */
    private static final String TIMEOUT = "SET net_write_timeout = 7200, net_read_timeout = 7200";

    private final String shard;
    private final String knownUuid;
    private final ReadPosition place;
    private final Request request;
    private final CompletableFuture<MysqlConnection> connecting;
    private MysqlConnection connection;
    private CompletableFuture<ShardFacts> asking;
    private CompletableFuture<Optional<String>> checking;
    private CompletableFuture<BinlogDump> resuming;
    private CompletableFuture<BinlogStream> dumping;
    private String uuid = "";
    private boolean foldsNames;

    /**
     * The stream to open.
     *
     * @param dump by GTID
     * @param skipAnonymous file in which transactions without a GTID are left out
     * @param corrections if not empty, only these transactions are wanted
     */
    record Request(String shard, BinlogDump dump, Optional<String> skipAnonymous, GtidSet corrections) {}

    /**
     * @param knownUuid the UUID of the server that was read so far, "" if it is not known
     * @param place the position up to which that server was read
     */
    StreamOpener(MysqlClient client, Endpoint endpoint, String knownUuid, ReadPosition place, Request request) {
        this.shard = request.shard();
        this.knownUuid = knownUuid;
        this.place = place;
        this.request = request;
        this.connecting = client.connect(endpoint, request.dump().readBytes());
    }

    /**
     * The stream, or null while it is not open yet.
     *
     * @throws io.tributary.common.error.TributaryException if it cannot be opened
     */
    BinlogStream poll() {
        if (connection == null) {
            if (!connecting.isDone()) {
                return null;
            }
            connection = connected();
            asking = connection.query(TIMEOUT).thenCompose(ok -> ShardFacts.ask(connection));
        }
        if (checking == null) {
            if (!asking.isDone()) {
                return null;
            }
            ShardFacts facts = result(asking);
            uuid = facts.uuid();
            foldsNames = facts.foldsNames();
            facts.requireContinues(shard, knownUuid, place.resume());
            checking = knownUuid.equals(uuid)
                    ? place.contradiction(connection)
                    : CompletableFuture.completedFuture(Optional.empty());
        }
        if (resuming == null) {
            if (!checking.isDone()) {
                return null;
            }
            place.require(shard, result(checking));
            resuming = resumes();
        }
        if (dumping == null) {
            if (!resuming.isDone()) {
                return null;
            }
            dumping = connection.dump(result(resuming));
        }
        return dumping.isDone() ? result(dumping) : null;
    }

    private CompletableFuture<BinlogDump> resumes() {
        if (!request.corrections().isEmpty()) {
            return CompletableFuture.completedFuture(ofCorrections());
        }
        boolean isKnown = knownUuid.equals(uuid) && !connection.isMariadb();
        return request.skipAnonymous()
                .filter(file -> isKnown)
                .map(file -> AnonymousSkip.dump(shard, connection, file, place, request.dump()))
                .orElseGet(() -> CompletableFuture.completedFuture(request.dump()));
    }

    /** The server leaves out all that it has executed but the corrections; later transactions may follow them. */
    private BinlogDump ofCorrections() {
        GtidSet executed = result(asking).executed();
        GtidSet lost = request.corrections().minus(executed);
        if (!lost.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SHARD_HISTORY_LOST,
                    "shard " + shard + ": expected the corrections "
                            + request.corrections().line()
                            + " of tributary shard reseed, found that the server has executed "
                            + ShardFacts.shown(executed) + ", without " + lost.line());
        }
        return request.dump().after(executed.union(place.resume()).minus(request.corrections()));
    }

    private MysqlConnection connected() {
        try {
            return connecting.join();
        } catch (CompletionException e) {
            throw ShardErrors.ofLogin(shard, e);
        }
    }

    private <T> T result(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            throw ShardErrors.ofStream(shard, e, "refused to replicate");
        }
    }

    /** The server's UUID; only after the stream is open. */
    String uuid() {
        return uuid;
    }

    /** Whether the server compares names without regard to letter case; only after the stream is open. */
    boolean foldsNames() {
        return foldsNames;
    }

    /** Whether the stream is read by position, so that it may contain transactions that were read before; only after it is open. */
    boolean isByPosition() {
        return result(resuming).start().gtids().isEmpty();
    }

    /** Cancels the attempt: closes everything that was or will be opened. Must not be called after {@link #poll} has returned the stream. */
    @Override
    public void close() {
        var unused = dumping == null
                ? connecting.thenAccept(MysqlConnection::close)
                : dumping.thenAccept(BinlogStream::close).whenComplete((closed, failure) -> connection.close());
    }
}
