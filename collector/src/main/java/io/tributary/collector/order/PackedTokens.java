package io.tributary.collector.order;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.TokenKind;
import io.tributary.store.HeldTokens;
import io.tributary.store.SpilledTokens;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Tokens of one shard that are not needed soon, as bytes in the store. Tokens with a branch or a statement are kept on the heap. Filled once, then
 * read once.
 */
final class PackedTokens {
    /** Bytes of a token: kind and mark, eight numbers, two indexes, the payload's address. */
    private static final int TOKEN = 1 + 8 * Long.BYTES + 2 * Integer.BYTES + SpilledTokens.PLACE_BYTES;

    private static final byte KEPT = -1;
    private static final List<TokenKind> KINDS = List.of(TokenKind.values());

    private final List<Token> kept = new ArrayList<>(0);
    private final List<Branch> branches = new ArrayList<>(0);
    private final List<Origin> origins = new ArrayList<>(1);
    private final List<List<TableRef>> tables = new ArrayList<>(1);
    private final SpilledTokens payloads = new SpilledTokens();
    private final int count;
    private final Payload bytes;

    /** Values that rarely change from one token to the next. */
    private record Origin(int shard, Sid sid, String file) {}

    /** Removes this many tokens from the start of a ring. */
    PackedTokens(TokenRing from, int count, HeldTokens held) {
        this.count = count;
        ByteBuffer target = ByteBuffer.allocate(count * TOKEN);
        Map<List<TableRef>, Integer> indexes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Token token = from.token();
            if (from.branch() != null || !isPlain(token)) {
                target.put(KEPT);
                kept.add(token);
                branches.add(from.branch());
            } else {
                write(token, target, indexes);
            }
            from.remove();
        }
        this.bytes = held.spill(target.flip());
    }

    private static boolean isPlain(Token token) {
        return switch (token.kind()) {
            case LOCAL -> token.question() == null;
            case ROUND -> token.before() == null;
            case SKIPPED -> token.hidden().isEmpty();
            case PREPARE, COMMIT, ROLLBACK, DDL -> false;
        };
    }

    private void write(Token token, ByteBuffer target, Map<List<TableRef>, Integer> indexes) {
        target.put((byte) (KINDS.indexOf(token.kind()) << 1 | (token.payload() == null ? 0 : 1)));
        target.putLong(token.key())
                .putLong(token.gno())
                .putLong(token.end())
                .putLong(token.round())
                .putLong(token.commitMicros())
                .putLong(token.lastCommitted())
                .putLong(token.sequenceNumber())
                .putLong(token.tso());
        target.putInt(origin(token));
        target.putInt(indexes.computeIfAbsent(token.tables(), list -> {
            tables.add(list);
            return tables.size() - 1;
        }));
        if (token.payload() != null) {
            payloads.put(token.payload(), target);
        }
    }

    private int origin(Token token) {
        int last = origins.size() - 1;
        if (last >= 0
                && origins.get(last).shard == token.shard()
                && origins.get(last).sid.equals(token.sid())
                && origins.get(last).file.equals(token.file())) {
            return last;
        }
        origins.add(new Origin(token.shard(), token.sid(), token.file()));
        return last + 1;
    }

    int count() {
        return count;
    }

    /** Tokens and payloads that are still on the heap. */
    int kept() {
        return kept.size() + payloads.kept();
    }

    /** Returns all tokens in their order, each with its branch or null. */
    void unpack(BiConsumer<Token, Branch> target) {
        ByteBuffer source = HeldTokens.load(bytes);
        int nextKept = 0;
        for (int i = 0; i < count; i++) {
            byte mark = source.get();
            if (mark == KEPT) {
                target.accept(kept.get(nextKept), branches.get(nextKept));
                nextKept++;
            } else {
                target.accept(read(mark, source), null);
            }
        }
    }

    private Token read(byte mark, ByteBuffer source) {
        long key = source.getLong();
        long gno = source.getLong();
        long end = source.getLong();
        long round = source.getLong();
        long commitMicros = source.getLong();
        long lastCommitted = source.getLong();
        long sequenceNumber = source.getLong();
        long tso = source.getLong();
        Origin origin = origins.get(source.getInt());
        List<TableRef> shapes = tables.get(source.getInt());
        Payload payload = (mark & 1) == 0 ? null : payloads.take(source);
        TokenBody body = switch (KINDS.get(mark >> 1)) {
            case LOCAL -> new TokenBody.LocalTransaction(payload, shapes);
            case ROUND -> new TokenBody.HeartbeatRound(round, null);
            default -> TokenBody.SkippedTransaction.WITHOUT_EFFECT;
        };
        LoggedTransaction logged =
                new LoggedTransaction(origin.sid, gno, origin.file, end, commitMicros, lastCommitted, sequenceNumber);
        return new Token(origin.shard, key, tso, logged, body);
    }
}
