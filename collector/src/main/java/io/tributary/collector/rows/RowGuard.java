package io.tributary.collector.rows;

import io.tributary.collector.schema.OpenQuestions;
import io.tributary.collector.schema.RowRule;
import io.tributary.collector.schema.SchemaChanges;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.store.TableShapeStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that the rows of a table have only one shape at a time in the output, and that rows of members which lack a statement are left out or
 * renamed as the statement requires. A statement that changes columns makes the shape unknown; the first rows of a member that has executed it define
 * the new shape. Rows of a member that has not executed it must have that shape already, or their shard is held. The store of table shapes contains
 * the shapes in force, for any number of tables.
 */
public final class RowGuard {
    private static final Logger LOG = LoggerFactory.getLogger(RowGuard.class);
    private static final int ACCEPTED = 1 << 12;
    private static final int MOST_WARNED = 1 << 12;
    private static final int SHARD_BITS = 15;
    private static final int SLOTS_OF_TABLE = 61;

    private final SchemaChanges changes;
    private final OpenQuestions questions;
    private final CollectorStore store;
    private final List<String> shardNames;
    private DdlRows rows;

    /** The shape in force by table; none while it is unknown. */
    private final TableShapeStore inForce;

    /** Tables of shards that were checked lately and are written as they are, each at the index of its id and shard. */
    private final long[] accepted = new long[ACCEPTED];

    private final Reshaping reshaping;
    private final Set<TableName> warned = new HashSet<>();
    private final Set<TableName> warnedOfKeys = new HashSet<>();
    private RowRewriter rewriter;
    private List<TableRef> writtenTables = List.of();
    private long acceptedAt;
    private boolean hasRules;

    public RowGuard(SchemaOrder schema, List<String> shardNames, DdlRows rows, CollectorStore store) {
        this.changes = schema.changes();
        this.questions = schema.questions();
        this.shardNames = new ArrayList<>(shardNames);
        this.rows = rows;
        this.store = store;
        this.inForce = store.tables();
        this.reshaping = new Reshaping(changes, store.shapes());
    }

    /** From now on, shards are asked for table definitions through this. */
    public void definitions(TableMaps.DefinitionSource source) {
        reshaping.definitions(source);
    }

    /** The plans for the keys of the tables in the output; called once. */
    public KeyPlans keyPlans() {
        return new KeyPlans(changes.definitions());
    }

    /** Adds a shard. */
    public void join(int shard, String name) {
        while (shardNames.size() <= shard) {
            shardNames.add(name);
        }
    }

    /** Sets other rules. */
    public void rules(DdlRows others) {
        rows = others;
        reshaping.forget();
        warned.clear();
        questions.changed();
    }

    /** Why the rows of this token cannot be next in the output; null if they can. */
    public Question questionOf(Token token) {
        if (acceptedAt != changes.version()) {
            Arrays.fill(accepted, 0);
            acceptedAt = changes.version();
            hasRules = changes.hasRules();
            reshaping.forget();
        }
        List<TableRef> refs = token.tables();
        int shard = token.shard();
        for (int i = 0; i < refs.size(); i++) {
            TableRef ref = refs.get(i);
            long id = ref.id();
            if (accepted[slot(id, shard)] != key(id, shard)) {
                Question question = check(ref, token);
                if (question != null) {
                    return question;
                }
            }
        }
        return null;
    }

    /** A different index for each shard, so that the members of one table do not replace each other. */
    private static int slot(long id, int shard) {
        return (int) (id * SLOTS_OF_TABLE + shard) & ACCEPTED - 1;
    }

    private static long key(long id, int shard) {
        return id << SHARD_BITS | shard;
    }

    private Question check(TableRef ref, Token token) {
        changes.rows(token.shard(), ref);
        RowRule rule = hasRules ? changes.ruleOf(token.shard(), ref) : null;
        if (rule != null) {
            boolean isReshaped = !rule.isLeftOut() && changes.deviates(token.shard(), ref);
            return isReshaped ? reshaped(ref, token, () -> null) : null;
        }
        List<String> missing = changes.missing(token.shard(), ref);
        if (reshaping.hasGeneratedKey(token, ref)) {
            Reshape found = reshaping.found(token.shard(), ref);
            if (found != null) { // before the definition is read
                return reshaping.refusal(token, ref, found);
            }
            String awaited = reshaping.awaitedForGeneratedKey(token, ref);
            if (!awaited.isEmpty()) {
                return new Question(
                        ErrorCode.SCHEMA_MIXED,
                        "table " + ref.schema() + "." + ref.table() + ": rows with a generated primary key wait for "
                                + awaited + ". This ends by itself: do not leave the transaction out");
            }
            Reshape reshape = withoutKey(ref, token, missing);
            if (reshape != null) {
                return reshaping.refusal(token, ref, reshape);
            }
        }
        return compared(ref, token, missing);
    }

    /** Compares the rows with those that are written for the table. */
    private Question compared(TableRef ref, Token token, List<String> missing) {
        byte[] name = key(ref.schema(), ref.table());
        long known = inForce.find(name);
        boolean fits = known == ref.shape() && (ref.isNamed() || missing.isEmpty());
        if (!fits && known == 0 && missing.isEmpty() && !changes.deviates(token.shard(), ref)) {
            if (reshaping.isOtherThanDefined(token, ref)) {
                return new Question(ErrorCode.SCHEMA_MIXED, unexpected(ref, token));
            }
            inForce.put(name, ref.shape());
            warned.remove(new TableName(ref.schema(), ref.table()));
            if (!questions.isEmpty()) {
                questions.changed();
            }
            fits = true;
        }
        if (!fits) {
            return reshaped(ref, token, () -> problem(known, ref, token, missing));
        }
        if (!changes.isDefined(token.shard(), ref)) {
            reshaping.isOtherThanDefined(token, ref); // asks for the definition: a statement may have made it unknown
        }
        if (ref.isNamed() || missing.isEmpty()) {
            accepted[slot(ref.id(), token.shard())] = key(ref.id(), token.shard());
        }
        return null;
    }

    /** The conversion that removes the generated key of rows; null if the key stays. */
    private Reshape withoutKey(TableRef ref, Token token, List<String> missing) {
        if (!changes.cutsGeneratedKey(token.shard(), ref)) {
            return null;
        }
        boolean deviates = !missing.isEmpty() || changes.deviates(token.shard(), ref);
        Reshape reshape = deviates && !rows.reshapes(ref.schema(), ref.table()) ? null : reshaping.of(token, ref);
        if (reshape != null && reshape.isPossible()) {
            return reshape;
        }
        warnOfKey(ref, reshape);
        return null;
    }

    private String unexpected(TableRef ref, Token token) {
        return "table " + ref.schema() + "." + ref.table()
                + ": expected rows with the columns that its statements have made, found others"
                + " from shard " + shardNames.get(token.shard()) + ", " + ref.physical() + ", in "
                + Gtid.text(token.sid(), token.gno()) + ", " + token.file() + " before " + token.end()
                + ": a change of it was missed. The shard is asked for its definition. If this does not end, the rows"
                + " have columns that the output lacks: run the same ALTER TABLE on another member with an entry in"
                + " its binlog; then the shard continues by itself";
    }

    private void warnOfKey(TableRef ref, Reshape reshape) {
        TableName name = new TableName(ref.schema(), ref.table());
        if (reshape != null && warnedOfKeys.size() < MOST_WARNED && warnedOfKeys.add(name)) {
            LOG.warn(
                    "generated key not removed: table={} reason=\"{}\" effect=\"several members number its my_row_id"
                            + " each from 1\" key=ddl.gipk note=\"logged once for this table\"",
                    name,
                    reshape.reason());
        }
    }

    /** Rows with other columns: they are rewritten, or held, or written as they are. */
    private Question reshaped(TableRef ref, Token token, Supplier<String> problem) {
        String reason = "";
        if (rows.reshapes(ref.schema(), ref.table())) {
            Reshape reshape = reshaping.of(token, ref);
            if (reshape.isPossible()) {
                return reshaping.refusal(token, ref, reshape);
            }
            reason = "; they cannot be converted to rows of the output: " + reshape.reason();
        }
        String what = problem.get();
        return what == null ? null : mixed(ref, what + reason);
    }

    private Question mixed(TableRef ref, String problem) {
        if (!rows.passes(ref.schema(), ref.table())) {
            return new Question(ErrorCode.SCHEMA_MIXED, problem);
        }
        TableName name = new TableName(ref.schema(), ref.table());
        if (warned.size() < MOST_WARNED && warned.add(name)) {
            LOG.warn(
                    "rows of another shape passed: table={} reason=\"{}\" note=\"logged once for this table\"",
                    name,
                    problem);
        }
        return null;
    }

    /** The key ends after the table's name, so the tables of a schema are those whose keys begin with the schema's key. */
    private static byte[] key(String schema, String table) {
        return (schema + "\0" + table + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private String problem(long known, TableRef ref, Token token, List<String> missing) {
        String shard = shardNames.get(token.shard());
        String shape = known == 0 ? "a shape not seen yet" : "shape " + known;
        String why = missing.isEmpty()
                ? "no DDL on this table was read between them"
                : "shard " + shard + " has not logged DDL " + String.join(", ", missing) + " on " + ref.physical();
        return "table " + ref.schema() + "." + ref.table() + ": expected rows of " + shape + ", found shape "
                + ref.shape()
                + " from shard " + shard + " in " + Gtid.text(token.sid(), token.gno()) + ", " + token.file()
                + " before "
                + token.end() + "; " + why;
    }

    // ---- statements

    /** A part of a statement is written: the shapes of its tables become unknown if it changes columns. */
    public void written(Ddl.Part part) {
        for (Target target : part.targets()) {
            TableName name = target.logical();
            boolean becomesUnknown = part.reshapes() || part.removesRows() || part.has(Ddl.Effect.RENAMES);
            if (becomesUnknown && name.table().isEmpty()) {
                inForce.removeAll((name.schema() + "\0").getBytes(StandardCharsets.UTF_8));
            } else if (becomesUnknown) {
                forget(key(name.schema(), name.table()));
            }
        }
        Arrays.fill(accepted, 0);
    }

    private void forget(byte[] table) {
        if (inForce.find(table) != 0) {
            inForce.put(table, 0);
        }
    }

    // ---- what is written of a token's rows

    /**
     * The rows of a token as they are written: its payload, or another payload that replaces it (the token's payload is then released); null for
     * nothing.
     *
     * @param token LOCAL, PREPARE or DDL; {@link #questionOf} was called before
     */
    public Payload rowsOf(Token token) {
        writtenTables = token.tables();
        Payload payload = token.payload();
        if (payload == null || payload.length() == 0 || questions.isLeftOut(token)) {
            token.release();
            return null;
        }
        if (!hasRules && reshaping.isEmpty()) {
            return payload;
        }
        Map<Long, TableChange> rules = rules(token);
        if (rules.isEmpty()) {
            return payload;
        }
        Payload rewritten = rewriter().rewritten(payload, rules);
        writtenTables = new ArrayList<>(rewriter.changedTables());
        token.tables().stream().filter(ref -> !rules.containsKey(ref.id())).forEach(writtenTables::add);
        token.release();
        if (rewritten.length() == 0) {
            rewritten.release();
            return null;
        }
        return rewritten;
    }

    /** The tables of the rows that the last call of {@link #rowsOf} has returned. */
    public List<TableRef> writtenTables() {
        return writtenTables;
    }

    private Map<Long, TableChange> rules(Token token) {
        Map<Long, TableChange> rules = new HashMap<>();
        for (TableRef ref : token.tables()) {
            RowRule rule = hasRules ? changes.ruleOf(token.shard(), ref) : null;
            Reshape reshape = reshaping.found(token.shard(), ref);
            if (reshape != null && (rule == null || !rule.isLeftOut())) {
                rules.put(ref.id(), TableChange.of(reshape));
            } else if (rule != null) {
                rules.put(ref.id(), TableChange.of(rule));
            }
        }
        return rules;
    }

    /** Makes payload that is not written as it was received. */
    public RowRewriter rewriter() {
        if (rewriter == null) {
            rewriter = new RowRewriter(store, reshaping);
        }
        return rewriter;
    }

    /** The highest table id of rows that are not written as they were received. */
    public long tableIds() {
        return rewriter == null ? 0 : rewriter.tableIds();
    }

    public void close() {
        if (rewriter != null) {
            rewriter.close();
        }
    }
}
