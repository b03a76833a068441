package io.tributary.collector.rows;

import io.tributary.collector.schema.MemberDefinition;
import io.tributary.collector.schema.SchemaChanges;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.write.CreateTable;
import io.tributary.schema.write.TableMap;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the table maps of members with their known definitions. A table map is always right. If it differs from the definition, a change of the
 * table was missed, for example one that was run with {@code sql_log_bin = 0}, or a statement could not be read. The shard is then asked for its
 * current definition, which is accepted if the table map agrees with it. If rows have columns that the output lacks, the definition is accepted only
 * when the output has them, so that no value is lost. For one thread.
 */
public final class TableMaps {
    private static final Logger LOG = LoggerFactory.getLogger(TableMaps.class);
    private static final int MOST = 1 << 12;
    private static final Set<Integer> TEXTS = Set.of(
            ColumnType.MYSQL_TYPE_VARCHAR,
            ColumnType.MYSQL_TYPE_VAR_STRING,
            ColumnType.MYSQL_TYPE_STRING,
            ColumnType.MYSQL_TYPE_BLOB,
            ColumnType.MYSQL_TYPE_JSON);

    private final SchemaChanges changes;
    private final Map<Member, State> asked = new HashMap<>();
    private final Map<Member, Optional<TableDefinition>> answers = new HashMap<>();
    private DefinitionSource definitions;

    /** The rows of one table map of a shard. */
    record Member(int shard, long tableId) {}

    private enum State {
        ASKED,
        /** The shard has the definition that is known, though its table maps differ from those that are rendered from it. */
        TRUSTED,
        /** The answer was accepted, or waits for the output to have all its columns. */
        ANSWERED
    }

    /** The result of comparing a table map with a definition. */
    enum Verdict {
        AGREES,
        /** The shard's answer is missing, or its tables are not listed yet. */
        DIFFERS,
        /** No definition is known, and the output has all columns; the shard is asked for its definition, if that is possible. */
        UNKNOWN
    }

    /** Asks a shard for the definition of a table. */
    @FunctionalInterface
    public interface DefinitionSource {
        /** @param answer called by the same thread later; empty if the shard has no such table */
        void ask(int shard, TableName physical, Consumer<Optional<ReportedTable>> answer);
    }

    TableMaps(SchemaChanges changes) {
        this.changes = changes;
    }

    /** Sets where to ask for definitions; without one, no shard is asked. */
    void definitions(DefinitionSource other) {
        definitions = other;
    }

    /**
     * Compares a table map with a definition.
     *
     * @param map a table map event; kept if the shard is asked
     * @param own the known definition of the member
     */
    Verdict verdict(int shard, TableRef ref, ByteBuffer map, MemberDefinition own) {
        Optional<TableDefinition> definition = own.definition();
        if (definition.isPresent() && agrees(map, definition.get(), ref)) {
            return Verdict.AGREES;
        }
        Member member = new Member(shard, ref.id());
        State state = asked.get(member);
        if (state == State.TRUSTED) {
            return Verdict.AGREES;
        }
        if (answers.containsKey(member) && hasAllColumns(map, shard, ref)) {
            changes.learned(shard, ref, answers.remove(member));
            return verdict(shard, ref, map, changes.memberDefinition(shard, ref));
        }
        if (state == null && definitions != null && changes.isListed(shard)) {
            if (asked.size() >= MOST) {
                asked.clear();
                answers.clear();
            }
            asked.put(member, State.ASKED);
            LOG.info(
                    "table map differs from the definition, shard is asked: shard={} table={} known=\"{}\"",
                    changes.shardName(shard),
                    ref.physical(),
                    definition.map(CreateTable::text).orElse(""));
            definitions.ask(shard, ref.physical(), shown -> answered(member, ref, map, shown));
        }
        return definition.isPresent() || !hasAllColumns(map, shard, ref) ? Verdict.DIFFERS : Verdict.UNKNOWN;
    }

    private void answered(Member member, TableRef ref, ByteBuffer map, Optional<ReportedTable> shown) {
        Optional<TableDefinition> now = shown.flatMap(each -> changes.read(member.shard(), each, ref));
        MemberDefinition own = changes.memberDefinition(member.shard(), ref);
        Optional<TableDefinition> fitting = now.filter(each -> agrees(map, each, ref));
        boolean isKnown = fitting.isEmpty() && now.isPresent() && changes.isSame(own, now.get());
        asked.put(member, isKnown ? State.TRUSTED : State.ANSWERED);
        if (isKnown) {
            LOG.warn(
                    "table map of another form than expected: shard={} table={} definition=\"{}\" effect=\"its rows"
                            + " are written unchanged\"",
                    changes.shardName(member.shard()),
                    ref.physical(),
                    CreateTable.text(now.get()));
        } else if (fitting.isPresent()
                || ref.isNamed()) { // without a definition the names in the table map are enough to rewrite rows
            if (hasAllColumns(map, member.shard(), ref)) {
                changes.learned(member.shard(), ref, fitting);
            } else {
                answers.put(member, fitting);
                fitting.ifPresent(each -> changes.addMissed(member.shard(), ref, each, map));
            }
        }
        changes.mayBeOver();
    }

    /**
     * Whether the table in the output has each column of a table map, except those of the member's known definition, so that no value is lost; true
     * if the definition in the output is not known.
     */
    private boolean hasAllColumns(ByteBuffer map, int shard, TableRef ref) {
        Optional<TableDefinition> output = changes.definitions().inOutput(changes.nameInOutput(shard, ref));
        Optional<TableDefinition> known = changes.memberDefinition(shard, ref).definition();
        if (output.isEmpty()) {
            return true;
        }
        TableShape shape = TableShape.of(map, 0, map.limit());
        for (int column = TableMapEvent.hasGeneratedKey(map, 0) ? 1 : 0; column < shape.columnCount(); column++) {
            String name = shape.name(column);
            boolean isThere = name.isEmpty()
                    ? column < output.get().columns().size()
                    : output.get().column(name).isPresent()
                            || known.isPresent() && known.get().column(name).isPresent();
            if (!isThere) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a table map can be that of a definition: names, types except for lengths of texts, signs, number of values. The character sets of texts
     * may come from defaults that statements do not contain, so they are not compared.
     */
    private static boolean agrees(ByteBuffer map, TableDefinition definition, TableRef ref) {
        TableShape shape = TableShape.of(map, 0, map.limit());
        boolean hasMore = TableMapEvent.hasGeneratedKey(map, 0) && !definition.hasGeneratedKey();
        if (!hasColumns(shape, definition.columns(), hasMore)) {
            return false;
        }
        if (hasMore) {
            return true;
        }
        ByteBuffer rendered;
        try {
            rendered = TableMap.like(map, definition, new TableName(ref.schema(), ref.table()));
        } catch (IllegalArgumentException e) { // a type or collation of a later server
            LOG.debug("table map not compared: table={} error=\"{}\"", ref.physical(), e.getMessage());
            return true;
        }
        TableShape expected = TableShape.of(rendered, 0, rendered.limit());
        for (int column = 0; column < shape.columnCount(); column++) {
            if (!isSameType(shape, expected, column)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameType(TableShape shape, TableShape expected, int column) {
        int type = shape.type(column);
        if (TEXTS.contains(type)) {
            return TEXTS.contains(expected.type(column));
        }
        boolean isSame = type == expected.type(column) && shape.metadata(column) == expected.metadata(column);
        boolean haveSigns = shape.saysSigns() && expected.saysSigns();
        boolean haveValues =
                !shape.values(column).isEmpty() && !expected.values(column).isEmpty();
        return isSame
                && (!haveSigns || shape.isUnsigned(column) == expected.isUnsigned(column))
                && (!haveValues
                        || shape.values(column).size()
                                == expected.values(column).size());
    }

    /** Whether a table map has this number of columns, with these names if it contains names. */
    private static boolean hasColumns(TableShape map, List<Column> columns, boolean hasMore) {
        int more = hasMore ? 1 : 0;
        if (map.columnCount() != columns.size() + more) {
            return false;
        }
        for (int i = 0; i < columns.size(); i++) {
            String name = map.name(i + more);
            if (!name.isEmpty() && !name.equalsIgnoreCase(columns.get(i).name())) {
                return false;
            }
        }
        return true;
    }
}
