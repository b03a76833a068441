package io.tributary.seed.copy;

import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.ShardTable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The size of a member by its shard's statistics.
 *
 * @param rows estimated number
 * @param bytes estimated size of the data
 * @param rowBytes average length of a row
 */
record MemberPlan(long rows, long bytes, long rowBytes) {
    private static final long USUAL_ROW = 1024;
    private static final long PART_ROWS = 250_000;
    private static final long PART_BYTES = 256 << 20;
    private static final int MOST_PARTS = 64;

    static MemberPlan of(SqlSession shard, ShardTable member) {
        String query =
                "SELECT TABLE_ROWS, DATA_LENGTH, AVG_ROW_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
                        + SqlNames.literal(member.physical().schema()) + " AND TABLE_NAME = "
                        + SqlNames.literal(member.physical().table());
        QueryResult.Row row = only(shard, query);
        return row == null
                ? new MemberPlan(0, 0, USUAL_ROW)
                : new MemberPlan(number(row, 0), number(row, 1), number(row, 2) == 0 ? USUAL_ROW : number(row, 2));
    }

    private static long number(QueryResult.Row row, int column) {
        return row.text(column) == null ? 0 : Long.parseLong(row.text(column));
    }

    private static QueryResult.Row only(SqlSession shard, String query) {
        try {
            QueryResult result = shard.query(query);
            return result.isEmpty() ? null : result.rows().get(0);
        } catch (MysqlServerError e) {
            throw shard.failed(query, e);
        }
    }

    /** Equal intervals of a whole number that is first in the key; the first and the last one are open, so that later rows are in one of them. */
    List<KeyBounds> parts(SqlSession shard, CopyPlan plan, ShardTable member) {
        long count = Math.min(MOST_PARTS, Math.max(rows / PART_ROWS, bytes / PART_BYTES));
        if (count < 2 || !plan.firstOfKey().type().isInteger()) {
            return List.of(KeyBounds.ALL);
        }
        String key = SqlNames.name(plan.firstOfKey().name());
        QueryResult.Row row =
                only(shard, "SELECT MIN(" + key + "), MAX(" + key + ") FROM " + SqlNames.name(member.physical()));
        if (row == null || row.text(0) == null) {
            return List.of(KeyBounds.ALL);
        }
        BigInteger least = new BigInteger(row.text(0));
        BigInteger span = new BigInteger(row.text(1)).subtract(least);
        if (span.compareTo(BigInteger.valueOf(count)) < 0) {
            return List.of(KeyBounds.ALL);
        }
        List<KeyBounds> parts = new ArrayList<>();
        String lower = "";
        for (int part = 0; part < count; part++) {
            BigInteger end =
                    least.add(span.multiply(BigInteger.valueOf(part + 1)).divide(BigInteger.valueOf(count)));
            String upper = part == count - 1 ? "" : end.toString();
            parts.add(new KeyBounds(part, lower, upper));
            lower = upper;
        }
        return parts;
    }
}
