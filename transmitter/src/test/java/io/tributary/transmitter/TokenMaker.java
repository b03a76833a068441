package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.ServerVersion;
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
import io.tributary.store.PayloadAppender;
import io.tributary.transmitter.token.TableShapes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A maker of merged tokens of a relay, with everything that a token can contain. It also returns how each must arrive: the receiver has other
 * ids for the same tables.
 */
final class TokenMaker {
    private static final long RELAY_IDS = 1000;
    private static final long OWN_IDS = 5;
    private static final int TABLES = 300;
    private static final GtidSet RESUME = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-17");

    private final SplittableRandom random;
    private final PayloadAppender appender;
    private final Shard[] shards;
    private long key;
    private boolean hasTsos;

    /** The position in a shard's log. */
    private static final class Shard {
        Sid sid = new Sid(UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562"));
        long gno = 17;
        String file = "binlog.000001";
        long end = 4;
        long sequenceNumber;
        final GtidSet.Builder sent = RESUME.toBuilder();
    }

    /** One token, and the content that its payload must have on arrival, null without a payload. */
    record Made(Token token, byte[] arrives) {}

    /** @param appender receives the payload, as in a relay's store */
    TokenMaker(long seed, int shardCount, PayloadAppender appender) {
        this.random = new SplittableRandom(seed);
        this.appender = appender;
        this.shards = new Shard[shardCount];
        for (int i = 0; i < shardCount; i++) {
            shards[i] = new Shard();
        }
    }

    static String shardName(int shard) {
        return "s" + shard;
    }

    /** The cut at which the stream begins. */
    static Cut from(int shardCount) {
        List<Cut.ShardCut> cuts = new ArrayList<>();
        for (int i = 0; i < shardCount; i++) {
            cuts.add(new Cut.ShardCut(
                    shardName(i),
                    "",
                    new ResumePosition(RESUME, "binlog.000001", 4),
                    RESUME,
                    3,
                    7,
                    Cut.LeftOutGtids.NONE));
        }
        return new Cut(
                2,
                9,
                new Cut.Sources(cuts, Set.of()),
                new Cut.OutputPoint(100, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    /** The receiving node's ids. */
    static TableShapes shapes() {
        return (view, at, end, physical) -> {
            assertEquals("shop", TableMapEvent.schema(view, at));
            int table = Integer.parseInt(TableMapEvent.table(view, at).substring(1));
            assertEquals(ref(OWN_IDS, table).physical(), physical);
            return ref(OWN_IDS, table);
        };
    }

    /** Every third table has another name on its shard. */
    private static TableRef ref(long ids, int table) {
        TableName logical = new TableName("shop", "t" + table);
        TableName physical = table % 3 > 0 ? logical : new TableName("shop_" + table % 7, "p" + table);
        return new TableRef(ids + table, ids + table, logical, physical, true);
    }

    /** A token with payload of this many events, each of this many bytes of rows or fewer. */
    Made local(int events, int bytes) {
        return make(TokenKind.LOCAL, events, bytes, true, false);
    }

    /** Any token. */
    Made any() {
        TokenKind[] kinds = TokenKind.values();
        return make(
                kinds[random.nextInt(kinds.length)],
                random.nextInt(5),
                300,
                random.nextInt(20) > 0,
                random.nextInt(10) == 0);
    }

    private Made make(TokenKind kind, int events, int bytes, boolean holdsRows, boolean mayAsk) {
        int shardIndex = random.nextInt(shards.length);
        Shard shard = shards[shardIndex];
        advance(shard);
        boolean mayHoldRows = kind == TokenKind.LOCAL || kind == TokenKind.PREPARE;
        boolean isAsked = mayAsk && (kind == TokenKind.DDL || mayHoldRows);
        boolean hasPayload = !isAsked && (kind == TokenKind.DDL || mayHoldRows && holdsRows);
        ByteArrayOutputStream arrives = new ByteArrayOutputStream();
        List<TableRef> tables = new ArrayList<>();
        if (hasPayload) {
            append(kind == TokenKind.DDL ? -1 : events, bytes, arrives, tables);
        }
        TokenBody body = body(kind, shard, hasPayload ? appender.finish() : null, tables);
        LoggedTransaction logged = new LoggedTransaction(
                shard.sid,
                shard.gno,
                shard.file,
                shard.end,
                random.nextInt(10) == 0 ? 0 : 1_700_000_000_000_000L + random.nextInt(1_000_000),
                Math.max(0, shard.sequenceNumber - random.nextInt(5)),
                shard.sequenceNumber);
        long tso = hasTsos && random.nextInt(3) > 0 ? random.nextLong(Long.MAX_VALUE) : 0;
        shard.sent.add(shard.sid, shard.gno);
        return new Made(
                new Token(shardIndex, key, tso, logged, isAsked ? body.asking(question()) : body),
                hasPayload ? arrives.toByteArray() : null);
    }

    private TokenBody body(TokenKind kind, Shard shard, Payload payload, List<TableRef> tables) {
        return switch (kind) {
            case LOCAL -> new TokenBody.LocalTransaction(payload, tables);
            case PREPARE -> new TokenBody.PreparedBranch(xid(), before(shard), payload, tables);
            case COMMIT -> new TokenBody.CommittedBranch(xid());
            case ROLLBACK -> new TokenBody.RolledBackBranch(xid());
            case ROUND -> new TokenBody.HeartbeatRound(1 + random.nextInt(1000), null);
            case DDL -> new TokenBody.LoggedDdl(ddl(), payload, tables);
            case SKIPPED ->
                random.nextBoolean()
                        ? new TokenBody.SkippedTransaction(hidden())
                        : TokenBody.SkippedTransaction.WITHOUT_EFFECT;
        };
    }

    private void advance(Shard shard) {
        hasTsos = random.nextInt(5000) == 0 ? !hasTsos : hasTsos;
        key += random.nextInt(3) == 0 ? 0 : random.nextInt(1 << 20);
        shard.gno++;
        shard.end += 1 + random.nextInt(5000);
        shard.sequenceNumber++;
        if (random.nextInt(50) == 0) {
            shard.file = "binlog.%06d".formatted(random.nextInt(1_000_000));
            shard.end = 200;
            shard.sequenceNumber = 1;
        }
        if (random.nextInt(100) == 0) {
            shard.sid = new Sid(new UUID(random.nextLong(), random.nextLong()), random.nextBoolean() ? "" : "tag_1");
            shard.gno = 1;
        }
    }

    private ResumePosition before(Shard shard) {
        GtidSet executed = shard.sent.build();
        boolean isOdd = random.nextInt(10) == 0;
        return new ResumePosition(
                isOdd ? executed.plus(new Sid(new UUID(9, 9)), 5) : executed,
                isOdd ? "binlog.000777" : shard.file,
                random.nextInt(1 << 30));
    }

    private Xid xid() {
        byte[] gtrid = new byte[1 + random.nextInt(64)];
        byte[] bqual = new byte[random.nextInt(65)];
        random.nextBytes(gtrid);
        random.nextBytes(bqual);
        return new Xid(gtrid, bqual, random.nextInt());
    }

    private Question question() {
        ErrorCode[] codes = ErrorCode.values();
        return new Question(
                codes[random.nextInt(codes.length)], "shard s1: expected rows, found ü " + random.nextInt());
    }

    private Ddl ddl() {
        DdlKind[] kinds = DdlKind.values();
        List<Ddl.Part> parts = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            TableName logical = new TableName("shop", "t" + random.nextInt(TABLES));
            TableName physical = random.nextBoolean() ? logical : new TableName("shop_1", logical.table() + "_7");
            parts.add(new Ddl.Part(
                    kinds[random.nextInt(kinds.length)],
                    Long.toHexString(random.nextLong()),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    List.of(new Ddl.Target(Ddl.Effect.CHANGES, logical, physical))));
        }
        HiddenChange change = random.nextBoolean() ? HiddenChange.NONE : hidden();
        ServerVersion server = new ServerVersion(random.nextBoolean(), random.nextInt(200_000));
        return new Ddl("ALTER TABLE", "ALTER TABLE t", parts, change, server);
    }

    private HiddenChange hidden() {
        TableName table = new TableName("shop", "t" + random.nextInt(TABLES));
        TableName copy = new TableName("shop", "_ü_gho");
        byte[] variables = new byte[random.nextInt(30)];
        random.nextBytes(variables);
        HiddenTable.Alter alter = new HiddenTable.Alter(
                "ADD c" + random.nextInt(),
                new HiddenTable.SessionSettings(
                        "shop", random.nextBoolean(), true, "UTF-8", ByteBuffer.wrap(variables)));
        HiddenChange.Kind[] kinds = HiddenChange.Kind.values();
        return new HiddenChange(
                List.of(
                        HiddenTable.copy(copy, random.nextBoolean() ? List.of(alter, alter) : List.of()),
                        HiddenTable.away(new TableName("shop", "_t_del"), table),
                        HiddenTable.other(new TableName("shop", "_t_old")),
                        HiddenTable.gone(table)),
                List.of(new HiddenChange.Rename(kinds[random.nextInt(kinds.length)], copy, table, table)));
    }

    /** @param events number of rows events; -1 for one statement */
    private void append(int events, int bytes, ByteArrayOutputStream arrives, List<TableRef> tables) {
        if (events < 0) {
            ByteBuffer query = event(EventType.QUERY_EVENT, EventHeader.LENGTH + random.nextInt(200));
            append(query, arrives);
            return;
        }
        for (int event = 0; event < events; event++) {
            int table = random.nextInt(TABLES);
            append(tableMap(RELAY_IDS + table, table), null);
            arrives.writeBytes(bytes(tableMap(OWN_IDS + table, table)));
            ByteBuffer rows = event(EventType.WRITE_ROWS_EVENT, EventHeader.LENGTH + 12 + random.nextInt(bytes));
            rows.put(EventHeader.LENGTH + 8, (byte) 2).put(EventHeader.LENGTH + 9, (byte) 0);
            rows.put(EventHeader.LENGTH + 10, (byte) 1);
            RowsEvent.setTableId(rows, 0, RELAY_IDS + table);
            append(rows, null);
            RowsEvent.setTableId(rows, 0, OWN_IDS + table);
            arrives.writeBytes(bytes(rows));
            if (tables.stream().noneMatch(ref -> ref.table().equals("t" + table))) {
                tables.add(ref(RELAY_IDS, table));
            }
        }
    }

    private void append(ByteBuffer event, ByteArrayOutputStream arrives) {
        appender.append(event, 0, event.capacity());
        if (arrives != null) {
            arrives.writeBytes(bytes(event));
        }
    }

    private static byte[] bytes(ByteBuffer event) {
        byte[] bytes = new byte[event.capacity()];
        event.get(0, bytes);
        return bytes;
    }

    private ByteBuffer event(int type, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        ByteBuffer event = ByteBuffer.wrap(bytes);
        EventHeader.write(event, 0, new EventOrigin(1_700_000_000, 7), type, size);
        return event;
    }

    private static ByteBuffer tableMap(long id, int table) {
        byte[] name = ("t" + table).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 8 + 6 + name.length + 2 + 4);
        EventHeader.write(event, 0, new EventOrigin(1_700_000_000, 7), EventType.TABLE_MAP_EVENT, event.capacity());
        event.position(EventHeader.LENGTH + 8);
        event.put((byte) 4).put("shop".getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        event.put((byte) name.length).put(name).put((byte) 0);
        event.put((byte) 1).put((byte) 3).put((byte) 0).put((byte) 1);
        TableMapEvent.setTableId(event, 0, id);
        return event;
    }

    /** Checks that a token arrived unchanged, except for the node's own shard indexes and table ids; releases its payload. */
    static void check(Made made, Token arrived, int[] indexes) {
        Token sent = made.token();
        List<TableRef> tables = sent.tables().stream()
                .map(each -> ref(OWN_IDS, (int) (each.id() - RELAY_IDS)))
                .toList();
        assertEquals(
                tables.stream().map(each -> each + " " + each.physical()).toList(),
                arrived.tables().stream()
                        .map(each -> each + " " + each.physical())
                        .toList());
        TokenBody body =
                arrived.payload() == null ? sent.body() : sent.body().withPayload(arrived.payload(), arrived.tables());
        assertEquals(new Token(indexes[sent.shard()], sent.key(), sent.tso(), sent.logged(), body), arrived);
        assertEquals(made.arrives() == null, arrived.payload() == null);
        if (arrived.payload() != null) {
            checkBytes(made.arrives(), arrived.payload());
            arrived.payload().release();
        }
    }

    private static void checkBytes(byte[] expected, Payload payload) {
        assertEquals(expected.length, payload.length());
        try (Payload.Cursor cursor = payload.open()) {
            int at = 0;
            for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                assertEquals(ByteBuffer.wrap(expected, at, range.remaining()), range);
                at += range.remaining();
            }
            assertEquals(expected.length, at);
        }
    }
}
