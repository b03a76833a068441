package io.tributary.extractor;

import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One attempt to open a shard's stream: connect, look whether it is the right server and still has what follows, dump. Polled by the
 * stage's thread, never blocks.
 */
final class StreamOpener implements AutoCloseable {
    /** The shard waits so long, in seconds, for a reader that is held back. */
    private static final String PATIENCE = "SET net_write_timeout = 7200, net_read_timeout = 7200";

    private final String shard;
    private final String knownUuid;
    private final ReadPlace place;
    private final BinlogDump dump;
    private final CompletableFuture<MysqlConnection> connecting;
    private MysqlConnection connection;
    private CompletableFuture<ShardFacts> asking;
    private CompletableFuture<Optional<String>> looking;
    private CompletableFuture<BinlogStream> dumping;
    private String uuid = "";
    private boolean foldsNames;

    /**
     * @param knownUuid the server so far, "" for not known
     * @param place up to where that server has been read
     */
    StreamOpener(
            MysqlClient client, Endpoint endpoint, String shard, String knownUuid, ReadPlace place, BinlogDump dump) {
        this.shard = shard;
        this.knownUuid = knownUuid;
        this.place = place;
        this.dump = dump;
        this.connecting = client.connect(endpoint, dump.readBytes());
    }

    /**
     * The stream, or null while it is not open yet.
     *
     * @throws io.tributary.common.error.TributaryException why it cannot be opened
     */
    BinlogStream poll() {
        if (connection == null) {
            if (!connecting.isDone()) {
                return null;
            }
            connection = connected();
            asking = connection.query(PATIENCE).thenCompose(ok -> ShardFacts.ask(connection));
        }
        if (looking == null) {
            if (!asking.isDone()) {
                return null;
            }
            ShardFacts facts = result(asking);
            uuid = facts.uuid();
            foldsNames = facts.foldsNames();
            facts.requireContinues(shard, knownUuid, place.resume());
            looking = knownUuid.equals(uuid)
                    ? place.contradiction(connection)
                    : CompletableFuture.completedFuture(Optional.empty());
        }
        if (dumping == null) {
            if (!looking.isDone()) {
                return null;
            }
            place.require(shard, result(looking));
            dumping = connection.dump(dump);
        }
        return dumping.isDone() ? result(dumping) : null;
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

    /** The server's UUID, once the stream is open. */
    String uuid() {
        return uuid;
    }

    /** Whether the server compares names without regard to letter case, once the stream is open. */
    boolean foldsNames() {
        return foldsNames;
    }

    /** Gives up: closes what was opened or still will be. Not once the stream has been taken. */
    @Override
    public void close() {
        var unused = dumping == null
                ? connecting.thenAccept(MysqlConnection::close)
                : dumping.thenAccept(BinlogStream::close).whenComplete((closed, failure) -> connection.close());
    }
}
