package io.tributary.seed.copy;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.seed.table.ShardTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of members and how far each is copied, in the target's table tributary_seed.chunks. Nothing of it is in the target's binlog. Literals of
 * keys are separated by line ends.
 */
final class ChunkLog {
    private static final String TABLE = TargetWriters.SCHEMA + ".chunks";
    private static final List<String> COLUMNS =
            List.of("table_schema", "table_name", "shard", "member_schema", "member_name");
    private static final String NAMES = String.join(", ", COLUMNS);

    private ChunkLog() {}

    static void create(SqlSession target) {
        target.run("CREATE TABLE IF NOT EXISTS " + TABLE
                + " (table_schema VARBINARY(256) NOT NULL, table_name VARBINARY(256)"
                + " NOT NULL, shard VARBINARY(256) NOT NULL, member_schema VARBINARY(256) NOT NULL, member_name"
                + " VARBINARY(256) NOT NULL, part INT NOT NULL, lower_bound VARBINARY(64), upper_bound VARBINARY(64),"
                + " last_key LONGBLOB, is_done TINYINT NOT NULL DEFAULT 0, copied_rows BIGINT NOT NULL DEFAULT 0,"
                + " copied_bytes BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (" + NAMES + ", part)) ENGINE=InnoDB");
    }

    /** The parts of a member; none before {@link #add}. */
    static List<MemberPart> parts(SqlSession target, TableName table, ShardTable member) {
        String query = "SELECT part, lower_bound, upper_bound, last_key, is_done, copied_rows, copied_bytes FROM "
                + TABLE + where(table, member) + " ORDER BY part";
        try {
            List<MemberPart> parts = new ArrayList<>();
            for (QueryResult.Row row : target.query(query).rows()) {
                String last = row.text(3);
                parts.add(new MemberPart(
                        member,
                        new KeyBounds(Integer.parseInt(row.text(0)), text(row.text(1)), text(row.text(2))),
                        last == null ? List.of() : List.of(last.split("\n")),
                        row.text(4).equals("1"),
                        new Amount(Long.parseLong(row.text(5)), Long.parseLong(row.text(6)))));
            }
            return parts;
        } catch (MysqlServerError e) {
            throw target.failed(query, e);
        }
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }

    /** Adds parts in one transaction of a session without autocommit. */
    static void add(TargetSession target, TableName table, ShardTable member, List<KeyBounds> parts) {
        for (KeyBounds part : parts) {
            target.session()
                    .run("INSERT INTO " + TABLE + " (" + NAMES + ", part, lower_bound, upper_bound) VALUES ("
                            + String.join(", ", values(table, member)) + ", " + part.part() + ", "
                            + SqlNames.literal(part.lower())
                            + ", " + SqlNames.literal(part.upper()) + ")");
        }
        target.commit();
    }

    /** The statement that stores progress. */
    static String progress(TableName table, MemberPart part, List<String> key, Amount more) {
        return "UPDATE " + TABLE + " SET last_key = " + SqlNames.literal(String.join("\n", key))
                + ", copied_rows = copied_rows + "
                + more.rows() + ", copied_bytes = copied_bytes + " + more.bytes() + where(table, part.member())
                + " AND part = " + part.bounds().part();
    }

    static void done(TargetSession target, TableName table, MemberPart part) {
        target.session()
                .run("UPDATE " + TABLE + " SET is_done = 1" + where(table, part.member()) + " AND part = "
                        + part.bounds().part());
        target.commit();
    }

    static void forget(TargetSession target, TableName table) {
        target.session()
                .run("DELETE FROM " + TABLE + " WHERE table_schema = " + SqlNames.literal(table.schema())
                        + " AND table_name = " + SqlNames.literal(table.table()));
        target.commit();
    }

    private static String where(TableName table, ShardTable member) {
        List<String> values = values(table, member);
        StringBuilder text = new StringBuilder(" WHERE ");
        for (int i = 0; i < COLUMNS.size(); i++) {
            text.append(i == 0 ? "" : " AND ")
                    .append(COLUMNS.get(i))
                    .append(" = ")
                    .append(values.get(i));
        }
        return text.toString();
    }

    private static List<String> values(TableName table, ShardTable member) {
        return List.of(
                SqlNames.literal(table.schema()),
                SqlNames.literal(table.table()),
                SqlNames.literal(member.shard().name()),
                SqlNames.literal(member.physical().schema()),
                SqlNames.literal(member.physical().table()));
    }
}
