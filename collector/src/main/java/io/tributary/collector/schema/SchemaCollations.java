package io.tributary.collector.schema;

import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlTokens;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The default collation of each schema of each shard; texts of a table have it if its statement names none. For one thread. */
final class SchemaCollations {
    /** Offset in Q_CHARSET_CODE: the third of three collations is collation_server. */
    private static final int SERVER_AT = 4;

    private final Map<TableMember, String> known = new HashMap<>();

    private static TableMember place(int shard, String schema) {
        return new TableMember(shard, new TableName(schema, ""));
    }

    /** A shard has listed its schemas. */
    void listed(int shard, List<SchemaDefault> defaults) {
        defaults.forEach(each -> known.put(place(shard, each.schema()), each.collation()));
    }

    /** The collation of a schema, by its physical name; "" if it is not known. */
    String of(int shard, String schema) {
        return known.getOrDefault(place(shard, schema), "");
    }

    void leave(int shard) {
        known.keySet().removeIf(each -> each.shard() == shard);
    }

    /**
     * CREATE DATABASE or ALTER DATABASE is processed.
     *
     * @param schema on its shard
     * @param event its QUERY event, from 0 to the limit
     * @param server the version of the server whose log contained it
     */
    void processed(TableMember schema, boolean isCreated, ByteBuffer event, ServerVersion server) {
        Statement statement = Statement.of(event, server);
        SqlTokens tokens = statement.session().scan(statement.text());
        Optional<String> collation = named(tokens, "COLLATE");
        if (collation.isEmpty()) {
            collation = named(tokens, "CHARSET")
                    .or(() -> named(tokens, "SET")) // CHARACTER SET
                    .flatMap(charset -> ofCharset(charset, statement.session()));
        }
        if (collation.isEmpty() && isCreated) {
            collation = ofServer(event);
        }
        collation.ifPresent(name -> known.put(schema, name));
    }

    private static Optional<String> ofCharset(String charset, ReadSession session) {
        return charset.equals("utf8mb4")
                ? Optional.of(session.utf8mb4Collation())
                : Collations.ofCharset(charset).map(Collation::name);
    }

    /** The name after a word, or after the equals sign that follows it. */
    private static Optional<String> named(SqlTokens tokens, String word) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.isWord(i, word)) {
                int name = tokens.afterEquals(i + 1);
                return name < tokens.size()
                        ? Optional.of(tokens.get(name).value().toLowerCase(Locale.ROOT))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Optional<String> ofServer(ByteBuffer event) {
        int charset = QueryEvent.variable(event, 0, StatusVariables.Q_CHARSET_CODE);
        return charset < 0
                ? Optional.empty()
                : Collations.of(LittleEndian.getU16(event, charset + SERVER_AT)).map(Collation::name);
    }
}
