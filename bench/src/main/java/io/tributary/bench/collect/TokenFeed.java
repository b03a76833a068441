package io.tributary.bench.collect;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.TableTexts;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Creates the tokens of some shards in merged order: local transactions, and distributed ones over two neighboring shards, of which several are
 * prepared before the first one commits; regularly a round of all shards.
 */
final class TokenFeed {
    static final int SHARDS = 4;
    private static final int IN_FLIGHT = 8;
    private static final long TABLE = 1;
    private static final int TRANSACTIONS_OF_A_ROUND = 1024;
    private static final long TIME = 1_700_000_000L;
    static final TableName ORDERS = new TableName("shop", "orders");
    private static final String FILE = "binlog.000001";
    private static final String TABLE_TEXT =
            "CREATE TABLE `orders` (`id` bigint NOT NULL, `k` int NOT NULL, `c` varchar(200)"
                    + " CHARACTER SET latin1 NOT NULL, PRIMARY KEY (`id`))";

    /** Offset after the flags of a rows event. */
    private static final int ROWS_HEAD = EventHeader.LENGTH + 8;

    private static final byte COLUMNS = 3;
    private static final int ROW = ROWS_HEAD + 5;

    /** Offset of the text in the row, after two numbers. */
    private static final int TEXT_AT = Long.BYTES + Integer.BYTES;

    private final Mix mix;
    private final Link<Token> out;
    private final PayloadAppender payload;
    private final Sid[] sids = new Sid[SHARDS];
    private final long[] newest = new long[SHARDS];
    private final List<TableRef> tables = List.of(new TableRef(TABLE, TABLE, ORDERS, ORDERS, true));
    private final ByteBuffer map;
    private final ByteBuffer event = ByteBuffer.allocateDirect(Mix.EVENT_BYTES);
    private final ArrayDeque<Xid[]> prepared = new ArrayDeque<>();
    private final ResumePosition before = new ResumePosition(GtidSet.EMPTY, FILE, 4);
    private long id;
    private long number;
    private long round;
    private long micros;

    TokenFeed(Mix mix, Link<Token> out, PayloadAppender payload) {
        this.mix = mix;
        this.out = out;
        this.payload = payload;
        for (int shard = 0; shard < SHARDS; shard++) {
            sids[shard] = new Sid(uuid(shard));
        }
        EventHeader.write(event, 0, new EventOrigin(TIME, 1), EventType.WRITE_ROWS_EVENT, Mix.EVENT_BYTES);
        TableMapEvent.setTableId(event, 0, TABLE); // rows events have the table id at the same offset
        int at = ROWS_HEAD;
        for (byte one : new byte[] {2, 0, COLUMNS, -1, 0}) { // no extra data, all columns, no NULL
            event.put(at++, one);
        }
        LittleEndian.putU8(event, ROW + TEXT_AT, Mix.EVENT_BYTES - ROW - TEXT_AT - 1);
        byte[] body = TableMap.body(definition(), Metadata.FULL);
        byte[] schema = ORDERS.schema().getBytes(StandardCharsets.UTF_8);
        byte[] table = ORDERS.table().getBytes(StandardCharsets.UTF_8);
        map = TableMapEvent.withBody(event, 0, schema, table, body);
        EventHeader.setType(map, 0, EventType.TABLE_MAP_EVENT);
    }

    private static TableDefinition definition() {
        return DefinitionReader.create(TABLE_TEXT, ReadSession.standard(ORDERS.schema()), other -> Optional.empty())
                .orElseThrow();
    }

    /** The table of the rows, as every shard has it. */
    static TableTexts texts() {
        return new TableTexts.Builder().add(ORDERS, TABLE_TEXT).build();
    }

    static UUID uuid(int shard) {
        return new UUID(77, shard);
    }

    /** The number of transactions whose commits were sent. */
    long transactions() {
        return number - prepared.size();
    }

    /** Sends the tokens of this many transactions. */
    void send(int transactions) {
        for (int i = 0; i < transactions; i++) {
            number++;
            if (number * 61 % 100 < mix.distributedPercent()) { // 61 distributes them evenly
                prepare((int) (number % SHARDS));
                if (prepared.size() > IN_FLIGHT) {
                    commit(prepared.remove());
                }
            } else {
                put((int) (number % SHARDS), new TokenBody.LocalTransaction(payload(), tables));
            }
            if (number % TRANSACTIONS_OF_A_ROUND == 0) {
                round();
            }
        }
    }

    /** Commits the prepared transactions and sends two rounds. */
    void finish() {
        while (!prepared.isEmpty()) {
            commit(prepared.remove());
        }
        round();
        round();
    }

    private void prepare(int first) {
        Xid[] branches = new Xid[2];
        for (int branch = 0; branch < branches.length; branch++) {
            byte[] gtrid =
                    ByteBuffer.allocate(16).putLong(number).putLong(number).array();
            branches[branch] = new Xid(gtrid, new byte[] {(byte) shard(first, branch)}, 1);
            put(shard(first, branch), new TokenBody.PreparedBranch(branches[branch], before, payload(), tables));
        }
        prepared.add(branches);
    }

    private static int shard(int first, int branch) {
        return (first + branch) % SHARDS;
    }

    private void commit(Xid[] branches) {
        for (Xid xid : branches) {
            put(xid.bqual()[0], new TokenBody.CommittedBranch(xid));
        }
    }

    private void round() {
        round++;
        for (int shard = 0; shard < SHARDS; shard++) {
            put(shard, new TokenBody.HeartbeatRound(round, null));
        }
    }

    private Payload payload() {
        payload.append(map, 0, map.limit());
        for (int row = 1; row <= mix.rows(); row++) {
            RowsEvent.setFlags(event, 0, row == mix.rows() ? RowsEvent.STMT_END_F : 0);
            LittleEndian.putLong(event, ROW, ++id);
            payload.append(event, 0, Mix.EVENT_BYTES);
        }
        return payload.finish();
    }

    private void put(int shard, TokenBody body) {
        micros++;
        long gno = ++newest[shard];
        long window = body.kind() == TokenKind.ROUND ? round : round + 1;
        LoggedTransaction logged =
                new LoggedTransaction(sids[shard], gno, FILE, gno * 1000, TIME * 1_000_000 + micros, gno - 1, gno);
        out.put(new Token(shard, Token.key(window, micros), 0, logged, body));
    }
}
