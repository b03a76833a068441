package io.tributary.collector.rows;

import io.tributary.collector.schema.MemberDefinition;
import io.tributary.collector.schema.SchemaChanges;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.rows.AddedValue;
import io.tributary.schema.rows.Columns;
import io.tributary.schema.rows.DescribedColumns;
import io.tributary.schema.rows.ExpressionValue;
import io.tributary.schema.rows.ReshapePlan;
import io.tributary.schema.rows.RowReshaper;
import io.tributary.schema.rows.StoredValue;
import io.tributary.schema.rows.convert.ColumnFacts;
import io.tributary.schema.write.CreateTable;
import io.tributary.schema.write.TableMap;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines how rows of members whose table has other columns are converted to rows of the table in the output. This is rare: plans are kept until a
 * statement changes a table. For one thread.
 */
final class Reshaping {
    private static final Logger LOG = LoggerFactory.getLogger(Reshaping.class);

    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /** An event of more bytes is not rewritten, because it would have to be in memory as a whole. */
    private static final int MOST_EVENT = 64 << 20;

    private static final int CHECKED = 1 << 12;

    private final SchemaChanges changes;
    private final CollectorStore.Shapes shapes;
    private final TableMaps maps;
    private final Map<TableMaps.Member, Reshape> plans = new HashMap<>();
    private final RowReshaper reshaper = new RowReshaper();

    /** Ids of table maps that were checked lately, each at the index of its id: those without a generated primary key, and those with one. */
    private final long[] plain = new long[CHECKED];

    private final long[] generated = new long[CHECKED];

    Reshaping(SchemaChanges changes, CollectorStore.Shapes shapes) {
        this.changes = changes;
        this.shapes = shapes;
        this.maps = new TableMaps(changes);
    }

    /** Discards all plans, because they may be different from now on. */
    void forget() {
        plans.clear();
    }

    boolean isEmpty() {
        return plans.isEmpty();
    }

    /** From now on, shards are asked for table definitions through this. */
    void definitions(TableMaps.DefinitionSource source) {
        maps.definitions(source);
    }

    /** Whether the first rows of a table have other columns than its definition; the shard is then asked for its definition. */
    boolean isOtherThanDefined(Token token, TableRef ref) {
        if (token.payload() == null) {
            return false;
        }
        MemberDefinition own = changes.memberDefinition(token.shard(), ref);
        ByteBuffer map = PayloadEvents.tableMap(token.payload(), ref.id());
        return maps.verdict(token.shard(), ref, map, own) == TableMaps.Verdict.DIFFERS;
    }

    /** Whether rows of a table map of this token have the column of a generated primary key. */
    boolean hasGeneratedKey(Token token, TableRef ref) {
        int slot = (int) ref.id() & CHECKED - 1;
        if (plain[slot] == ref.id() || token.payload() == null) {
            return false;
        }
        if (generated[slot] == ref.id()) {
            return true;
        }
        boolean isGenerated = TableMapEvent.hasGeneratedKey(PayloadEvents.tableMap(token.payload(), ref.id()), 0);
        (isGenerated ? generated : plain)[slot] = ref.id();
        return isGenerated;
    }

    /** What rows with a generated primary key wait for; "" for nothing. */
    String awaitedForGeneratedKey(Token token, TableRef ref) {
        String awaited = changes.awaitedForGeneratedKey(token.shard(), ref);
        boolean isDropped = awaited.isEmpty()
                && changes.dropsGeneratedKey(token.shard(), ref, PayloadEvents.tableMap(token.payload(), ref.id()));
        return isDropped ? "the statement that drops the key, because the table has several members now" : awaited;
    }

    /** The conversion that was determined before; null if there is none. */
    Reshape found(int shard, TableRef ref) {
        return plans.get(new TableMaps.Member(shard, ref.id()));
    }

    /** How rows of a table map of this token are converted to rows of the output. */
    Reshape of(Token token, TableRef ref) {
        TableMaps.Member member = new TableMaps.Member(token.shard(), ref.id());
        Reshape known = plans.get(member);
        if (known == null) {
            known = plan(token, ref);
            if (known.isPossible()) {
                plans.put(member, known);
            }
        }
        return known;
    }

    private Reshape plan(Token token, TableRef ref) {
        TableName name = changes.nameInOutput(token.shard(), ref);
        Optional<TableDefinition> output = changes.definitions().inOutput(name);
        if (output.isEmpty()) {
            return Reshape.none("the definition of " + name + " in the output is not known");
        }
        ByteBuffer source = PayloadEvents.tableMap(token.payload(), ref.id());
        ByteBuffer target;
        try {
            target = TableMap.like(source, output.get(), name);
        } catch (IllegalArgumentException e) { // a type or collation of a later server
            return Reshape.none("the table map of " + name + " cannot be built: " + e.getMessage());
        }
        MemberDefinition own = changes.memberDefinition(token.shard(), ref);
        TableShape from = TableShape.of(source, 0, source.limit());
        TableShape to = TableShape.of(target, 0, target.limit());
        if (maps.verdict(token.shard(), ref, source, own) == TableMaps.Verdict.DIFFERS) {
            return Reshape.none("the columns of " + ref.physical()
                    + " differ from the result of its statements, so a change of it was missed: "
                    + own.definition().map(CreateTable::text).orElse(""));
        }
        boolean hasMore =
                TableMapEvent.hasGeneratedKey(source, 0) && !output.get().hasGeneratedKey();
        String computed = computedInAnotherWay(own, output.get());
        if (!computed.isEmpty()) {
            return Reshape.none("column " + computed + " of " + name
                    + " has another generation expression there, and replicas keep the values of the rows");
        }
        ReshapePlan plan = ReshapePlan.of(from, to, columns(own, output.get(), to, hasMore));
        if (plan instanceof ReshapePlan.None none) {
            return Reshape.none(none.reason());
        }
        if (!output.get().hasGeneratedKey()) {
            TableMapEvent.setNoGeneratedKey(target, 0);
        }
        TableRef ofTarget = shapes.table(target, 0, target.limit(), ref.physical());
        TableMapEvent.setTableId(target, 0, ofTarget.id());
        return new Reshape(plan, ofTarget, target);
    }

    /** A stored column of the output with another generation expression on the member; "" if there is none. */
    private static String computedInAnotherWay(MemberDefinition own, TableDefinition output) {
        List<Column> columns = own.definition().map(TableDefinition::columns).orElse(List.of());
        for (Column column : columns) {
            Optional<Column> other = output.column(own.nameInOutput(column.name()));
            boolean isStored = other.isPresent()
                    && other.get().generation().isPresent()
                    && !other.get().isVirtual();
            if (isStored && !other.get().generation().equals(column.generation())) {
                return column.name();
            }
        }
        return "";
    }

    /** @param hasMore whether the source's rows have a generated key column at the start that its definition lacks */
    private Columns columns(MemberDefinition own, TableDefinition output, TableShape to, boolean hasMore) {
        TableName name = output.name();
        List<Column> sources = own.definition().map(TableDefinition::columns).orElse(List.of());
        List<Column> targets = output.columns();
        List<String> sourceNames =
                new ArrayList<>(sources.stream().map(Column::name).toList());
        if (hasMore && !sourceNames.isEmpty()) {
            sourceNames.add(0, TableDefinition.GENERATED_KEY);
        }
        Map<String, AddedValue> constants = new HashMap<>();
        for (int i = 0; i < targets.size(); i++) {
            Column column = targets.get(i);
            Optional<OffsetDateTime> time = changes.definitions().filledAt(name, column.name());
            constants.put(column.name(), constant(column, to, i, time));
        }
        return new Columns(
                new DescribedColumns(
                        sourceNames, sources.stream().map(ColumnFacts::of).toList()),
                new DescribedColumns(
                        targets.stream().map(Column::name).toList(),
                        targets.stream().map(ColumnFacts::of).toList()),
                own.renamed(),
                constants);
    }

    /** The value that ADD COLUMN puts into existing rows. */
    private static AddedValue constant(Column column, TableShape to, int place, Optional<OffsetDateTime> time) {
        if (column.generation().isPresent()) {
            return new AddedValue.Unknown("it is generated from other columns");
        }
        if (column.autoIncrement()) {
            return new AddedValue.Unknown("each shard numbers its rows itself (AUTO_INCREMENT)");
        }
        if (column.defaultValue() instanceof Default.Literal literal) {
            String value = sql(column, literal.value());
            return value.isEmpty()
                    ? new AddedValue.Unknown("the stored form of its default is not known")
                    : StoredValue.of(value, to, place, ColumnFacts.of(column), Optional.empty());
        }
        if (column.defaultValue() instanceof Default.Expression expression) {
            return ExpressionValue.of(expression.text(), to, place, time);
        }
        return StoredValue.implicit(to, place);
    }

    /** "" if the value is not known. */
    private static String sql(Column column, String value) {
        return switch (column.type().name()) {
            case "bit" -> "b'" + value + "'";
            case "binary", "varbinary" -> hexadecimal(value.getBytes(StandardCharsets.ISO_8859_1));
            case "inet4" -> IPV4.matcher(value).matches() ? address(value) : "";
            case "inet6" -> IPV6.matcher(value).matches() ? address(value) : "";
            case "uuid" -> ""; // in MariaDB, the order of its bytes depends on the version
            default -> "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
        };
    }

    private static String hexadecimal(byte[] bytes) {
        return "x'" + HexFormat.of().formatHex(bytes) + "'";
    }

    /** The bytes of a numeric address; "" if the text is no address. */
    private static String address(String value) {
        try {
            byte[] bytes = InetAddress.getByName(value).getAddress();
            boolean isMapped = bytes.length == 4 && value.contains(":");
            return hexadecimal(
                    isMapped
                            ? ByteBuffer.allocate(16)
                                    .putShort(10, (short) -1)
                                    .put(12, bytes)
                                    .array()
                            : bytes);
        } catch (UnknownHostException noAddress) { // a text of this form is never resolved as a host name
            LOG.debug("default is no address: error=\"{}\"", noAddress.getMessage());
            return "";
        }
    }

    // ---- values

    /** Why some of a token's rows cannot be rewritten; null if all can. */
    Question refusal(Token token, TableRef ref, Reshape reshape) {
        if (!reshape.mayRefuse()) {
            return null;
        }
        try (PayloadEvents events = new PayloadEvents(token.payload())) {
            while (events.next()) {
                if (RowsEvent.isRows(events.type()) && RowsEvent.tableId(events.head(), 0) == ref.id()) {
                    rows(events.copy(), reshape, (view, from, to) -> {});
                }
            }
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.VALUE_UNCONVERTIBLE && e.code() != ErrorCode.PAYLOAD_TOO_LARGE) {
                throw e;
            }
            return new Question(
                    e.code(),
                    Gtid.text(token.sid(), token.gno()) + ", " + token.file() + " before " + token.end() + ", "
                            + ref.physical() + ": " + e.getMessage());
        }
        return null;
    }

    /** Rewrites a rows event. */
    void rows(ByteBuffer event, Reshape reshape, io.tributary.schema.rows.convert.Output out) {
        if (event.limit() > MOST_EVENT) {
            throw new TributaryException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "expected a rows event of at most 64 MiB for a table whose columns have changed, found "
                            + event.limit() + " bytes");
        }
        if (reshape.plan() instanceof ReshapePlan.Total total) {
            reshaper.reshape(event, total, reshape.target().id(), out);
        } else {
            RowsEvent.setTableId(event, 0, reshape.target().id());
            out.write(event, 0, event.limit());
        }
    }
}
