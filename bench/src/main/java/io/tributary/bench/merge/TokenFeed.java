package io.tributary.bench.merge;

import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Fills the links of all sources with tokens as extractors do: each a new object, keys 0, 1, 2 ... over random sources. */
final class TokenFeed {
    private static final Sid SID = new Sid(new UUID(1, 2));

    private final List<Link<Token>> links = new ArrayList<>();
    private final long[] lastKeys;
    private final SplittableRandom random = new SplittableRandom(7);
    private long nextKey;

    /** @param tokens the largest number of tokens of a lap */
    TokenFeed(int sources, int tokens) {
        int capacity = 4 * (tokens / sources) + 256;
        for (int source = 0; source < sources; source++) {
            links.add(new Link<>("source " + source, capacity, Clock.SYSTEM));
        }
        lastKeys = new long[sources];
        Arrays.fill(lastKeys, -1);
    }

    List<Link<Token>> links() {
        return links;
    }

    /** Adds this many tokens; returns how many tokens in total, from the first on, no source can delay any more. */
    long feed(int tokens) {
        for (int i = 0; i < tokens; i++) {
            int source = random.nextInt(lastKeys.length);
            long key = nextKey++;
            lastKeys[source] = key;
            LoggedTransaction logged = new LoggedTransaction(SID, key, "binlog.000001", key, 0, 0, 0);
            links.get(source).put(new Token(source, key, 0, logged, new TokenBody.LocalTransaction(null, List.of())));
        }
        return Arrays.stream(lastKeys).min().orElseThrow() + 1;
    }
}
