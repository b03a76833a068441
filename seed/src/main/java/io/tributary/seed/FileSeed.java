package io.tributary.seed;

import io.tributary.common.error.TributaryException;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.Checkpoints;
import io.tributary.seed.checkpoint.ShardPositions;
import io.tributary.seed.folder.DumpFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Makes files from which an empty server becomes a replica of the stream, while the shards change: rows that were read at different times, and a replay
 * that is loaded after them. It takes no lock, except for tables that need one. A run that was ended in any way begins again in an empty folder.
 */
public final class FileSeed {
    private final Origin origin;
    private final SeedSettings settings;
    private final TableNames names;
    private final Seed.Environment environment;

    /**
     * The servers that are read.
     *
     * @param node the MySQL port of a node, with an account that may read all tables and replicate
     * @param shards all shards of the stream
     * @param source the node's MySQL port as the target reaches it, and the account with which it will replicate
     */
    public record Origin(Peer node, List<Peer> shards, Endpoint source) {
        public Origin {
            shards = List.copyOf(shards);
        }
    }

    /**
     * What was made.
     *
     * @param tables number of tables
     * @param place the number of the newest transaction of the stream that the files have
     */
    public record Made(int tables, long place) {}

    /** @param names the mapping of the node's configuration */
    public FileSeed(Origin origin, SeedSettings settings, TableNames names, Seed.Environment environment) {
        this.origin = origin;
        this.settings = settings;
        this.names = names;
        this.environment = environment;
    }

    /**
     * Runs it until the files are complete and on disk.
     *
     * @param path an empty folder, or one that does not exist
     * @throws TributaryException TARGET_UNFIT if the folder is not empty, DISK_FULL, IO_FAILED, SHARD_* of a server, SQL_FAILED, NODE_UNREACHABLE,
     *     READER_REFUSED, SEED_FAILED
     */
    public Made run(Path path) {
        DumpFolder folder = DumpFolder.begin(path);
        MysqlClient client = environment.client();
        try (SqlSession node = SqlSession.open(client, origin.node());
                ShardPositions shards = new ShardPositions(client, origin.shards(), environment.clock())) {
            Checkpoints stream = new Checkpoints(node, environment.clock());
            Checkpoint first = stream.newest();
            environment
                    .listener()
                    .step("The copy into " + folder.path() + " begins after transaction " + first.transactions()
                            + " of the stream " + node.value("SELECT @@GLOBAL.server_uuid"));
            return new FileRounds(
                            this, new FileRounds.Sessions(new StreamDefinitions(node), node, stream, shards), folder)
                    .run();
        }
    }

    Origin origin() {
        return origin;
    }

    SeedSettings settings() {
        return settings;
    }

    TableNames names() {
        return names;
    }

    Seed.Environment environment() {
        return environment;
    }

    /** The node with the account with which the target will replicate: the stream that it gets is replayed. */
    Peer reader() {
        return Peer.node(
                origin.node().endpoint().with(origin.source().credentials()),
                origin.node().timeout());
    }

    /** The identity as which the stream is read: no other reader of the node has it. */
    static UUID identity(SqlSession node, DumpFolder folder) {
        return UUID.nameUUIDFromBytes(
                ("tributary seed " + folder.path() + " " + node.value("SELECT @@GLOBAL.server_uuid") + " "
                                + node.connection().threadId())
                        .getBytes(StandardCharsets.UTF_8));
    }
}
