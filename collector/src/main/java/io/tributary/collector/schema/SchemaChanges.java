package io.tributary.collector.schema;

import io.tributary.collector.schema.member.ReceivedStatements;
import io.tributary.collector.schema.member.ShardNames;
import io.tributary.collector.schema.member.TableMember;
import io.tributary.collector.schema.member.TableMembers;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Count;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Question;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.SchemaState.CreatedTable;
import io.tributary.common.value.SchemaState.MemberCount;
import io.tributary.common.value.SchemaState.PendingDdl;
import io.tributary.common.value.SchemaState.Written;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.mysql.event.EventHeader;
import io.tributary.schema.compare.AddedColumns;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.write.Alteration;
import io.tributary.schema.write.CreateTable;
import io.tributary.schema.write.GeneratedKeyText;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each DDL statement, at its position in the order, whether it is written, and what to do with the rows of each member until then
 * (docs/ordering.md, "DDL"). A statement is counted by its effect and by member: a physical table on one shard. For one thread.
 *
 * <ul>
 *   <li>A statement that creates a table is written if no other member has the table.
 *   <li>A statement that changes it is written at the first member; the others are expected to execute it, and theirs are not written.
 *   <li>A statement that adds a constraint or a generated column is written at the last member.
 *   <li>A statement that removes or empties a table waits until that of every member has been received, then it is written; rows of members that
 *       have not processed their own are left out (rule 5).
 *   <li>A statement that is not understood is counted by shard.
 * </ul>
 */
public final class SchemaChanges {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChanges.class);

    /** The maximum of statements that are counted by shard and kept; it may be that only some shards ever execute them. */
    private static final int MOST_TEXTS = 1000;

    private final ShardNames names = new ShardNames();
    private final TableMembers members = new TableMembers();
    private final ReceivedStatements arrivals = new ReceivedStatements();
    private final Listings listings = new Listings();
    private final ListedDefinitions listed = new ListedDefinitions(this::nameInOutput);
    private final Map<String, Change> changes = new LinkedHashMap<>();
    private final Map<Integer, WaitingStatement> waiting = new HashMap<>();
    private final Map<Integer, Set<String>> hadBefore = new HashMap<>();

    /** Shards that have joined since the start: the statements of others before do not describe their tables. */
    private final Set<Integer> newcomers = new HashSet<>();

    /** Lists of shards that have not joined yet. */
    private final Map<Integer, ShardTables> early = new HashMap<>();

    /** Statements that are not written yet and that no other member is expected to execute. */
    private final Set<String> ofOneMember = new HashSet<>();

    /** Those of them that add columns of a missed change: they are not written if another member's statement is received first. */
    private final Set<String> missed = new HashSet<>();

    private final ArrayDeque<Change> due = new ArrayDeque<>();
    private final OperatorDecisions decisions;
    private final CreatedTables created;
    private final Definitions definitions;
    private final HiddenState hidden;
    private final SchemaCollations collations = new SchemaCollations();
    private final ApproximateNotes approximate;
    private final Count ignored = new Count();
    private final Count learned = new Count();
    private SchemaRules rules = SchemaRules.STANDARD;
    private boolean isDerivationDue;
    private long version = 1;
    private long now;

    /** Whether the statement that may be processed did not wait for other shards, because they cannot reach theirs before. */
    private boolean passesOthers;

    /**
     * @param shards those of the cut, in the order of their indexes
     * @param from the state of schema changes in the cut
     * @param schemas the definitions at the cut, as far as they are known
     */
    SchemaChanges(List<ShardCut> shards, SchemaState from, SchemaJournal schemas) {
        this.definitions = new Definitions(schemas, names, this::membersInOutput);
        this.hidden = new HiddenState(schemas, names);
        this.approximate = new ApproximateNotes(schemas);
        this.decisions = new OperatorDecisions(from.decisions());
        this.created = new CreatedTables(from.created());
        for (int shard = 0; shard < shards.size(); shard++) {
            names.put(shard, shards.get(shard).name());
            listings.expect(shard, shards.get(shard).frontier());
            listed.expect(shard);
        }
        for (PendingDdl each : from.pending()) {
            changes.put(each.part().id(), restored(each));
        }
        decisions.all().forEach(this::apply);
    }

    private static Change restored(PendingDdl pending) {
        Change change = new Change(pending.part(), pending.text(), pending.sinceMicros(), 0);
        if (pending.event().hasRemaining()) {
            change.keep(pending.event(), pending.server());
        }
        for (MemberCount each : pending.members()) {
            TableMember member = new TableMember(each.shard(), each.physical());
            for (int i = 0; i < each.lacks(); i++) {
                change.expect(member);
            }
            for (int i = 0; i < each.has(); i++) {
                change.count(member);
            }
        }
        return change;
    }

    /** Sets other rules. */
    public void rules(SchemaRules others) {
        rules = others;
        changed();
    }

    /** Statements that have been written although each shard fills the columns that they add with its own values. */
    public Count approximate() {
        return approximate.written();
    }

    /** Statements that removed a table or its rows on one member and were not written, because of the configuration; any thread. */
    public Count ignored() {
        return ignored;
    }

    /** The note on a statement's values as long as it is not complete; "" for nothing. */
    String note(Change change) {
        return approximate.of(change.part().id());
    }

    // ---- state of the shards

    /** Sets the time; call this regularly. */
    void tick(long nanoTime) {
        now = nanoTime;
    }

    /** A token has been received; called for each. */
    public void received(Token token) {
        if (!listings.areComplete() && listings.received(token)) {
            listed();
        }
        if (token.kind() == TokenKind.DDL && token.ddl() != null) {
            addMembers(token);
            arrivals.received(token.shard(), token.ddl());
            listed.received(token);
            changed();
        } else if (!token.hidden().isEmpty()) {
            listed.received(token);
        }
    }

    /** Applies the effect of a statement that is not written to hidden tables. */
    public void hidden(Token token) {
        if (token.hidden().isEmpty()) {
            return;
        }
        hidden.put(token.shard(), hidden.after(token.shard(), token.hidden(), this::definitionOf));
        listed.processed(token);
        acceptDefinitions();
        changed();
    }

    private Optional<TableDefinition> definitionOf(TableMember member, TableName logical) {
        return definitions.of(nameInOutput(member, logical), member).definition();
    }

    /** The difference for a swap with a hidden table of which no statement is known; null for every other statement. */
    private SwapDifference swapOf(Token token) {
        HiddenChange.Rename swap = token.hidden().unknownSwap();
        if (swap == null) {
            return null;
        }
        TableMember member = new TableMember(token.shard(), swap.to());
        return SwapDifference.of(
                swap,
                nameInOutput(member, swap.logical()),
                definitionOf(member, swap.logical()),
                hidden.definition(token.shard(), swap.from()));
    }

    /** The token with the difference in place of such a swap, if there is one. */
    private Token resolved(Token token) {
        SwapDifference swap = swapOf(token);
        return swap == null || swap.texts().isEmpty() ? token : swap.resolved(token);
    }

    /** A statement that changes a table shows that the table exists. */
    private void addMembers(Token token) {
        for (Part part : token.ddl().parts()) {
            for (Target target : part.targets()) {
                TableMember member = new TableMember(token.shard(), target.physical());
                boolean isThere = target.effect() != Effect.CREATES && target.effect() != Effect.BECOMES;
                // a later list lacks a table that DROP ... IF EXISTS has removed
                boolean mayHaveBeenThere = target.effect() == Effect.REMOVES && !listings.isComplete(token.shard());
                if (isThere
                        && part.kind() != DdlKind.TEXT
                        && (!part.conditional() || mayHaveBeenThere)
                        && !arrivals.createsAny(member)) {
                    members.add(target.logical(), member);
                }
            }
        }
    }

    /** The tables of a shard, from its list. */
    public void tables(int shard, ShardTables tables) {
        if (!names.has(shard)) {
            early.put(shard, tables);
            return;
        }
        for (ShardTables.Name name : tables.names()) {
            members.add(name.logical(), new TableMember(shard, name.physical()));
        }
        Set<String> had = hadBefore.remove(shard);
        if (had != null) {
            expectOfJoined(shard, had);
        }
        collations.listed(shard, tables.defaults());
        listings.listed(shard, tables);
        listed.listed(shard, tables);
        listed();
    }

    private void listed() {
        if (listings.areComplete()) {
            updateAll();
        }
        acceptDefinitions();
        changed();
    }

    /** Accepts the definitions that shards have listed; known definitions are not replaced. */
    private void acceptDefinitions() {
        if (listed.isEmpty() && !isDerivationDue) {
            return;
        }
        isDerivationDue |= listed.accept(listings::isComplete, (table, member, definition) -> {
            if (table == null) {
                TableDefinition copy = cutsNewKey(0) ? definition.withoutGeneratedKey() : definition;
                hidden.listed(member.shard(), member.physical(), copy);
                return;
            }
            MemberDefinition own =
                    MemberDefinition.of(Optional.of(listed(table, definition).named(table)));
            Optional<TableDefinition> output = definitions.inOutput(table);
            if (output.isEmpty()) {
                definitions.put(table, member, own);
            } else if (newcomers.contains(member.shard())) {
                definitions.put(table, member, own);
                checkJoined(table, member);
            } else {
                definitions.noteKeys(member, own.definition().get(), output.get());
            }
        });
        if (isDerivationDue && listings.areComplete()) {
            isDerivationDue = false;
            definitions.deriveOutputs(this::lacksColumns);
        }
    }

    /** Whether the tables of a shard and the definitions that it has listed are known. */
    public boolean isListed(int shard) {
        return listings.isComplete(shard) && listed.isAccepted(shard);
    }

    /** The name of a shard. */
    public String shardName(int shard) {
        return names.of(shard);
    }

    /** The known definition of the table of a shard. */
    public MemberDefinition memberDefinition(int shard, TableRef table) {
        return definitions.of(nameInOutput(shard, table), shard, table.physical());
    }

    /** The definition in a shard's answer, whose foreign keys reference tables of the output; empty if it cannot be read. */
    public Optional<TableDefinition> read(int shard, ReportedTable shown, TableRef table) {
        ReadSession session = ReadSession.of(shown.server(), table.physical().schema());
        return DefinitionReader.create(shown.text(), session, other -> Optional.empty())
                .map(definition -> definition.withReferences(other -> nameInOutput(new TableMember(shard, other))))
                .map(definition -> definition.named(new TableName(table.schema(), table.table())));
    }

    /** The name of a physical table in the output; its own name if it is not known. */
    private TableName nameInOutput(TableMember member) {
        return members.logical(member)
                .map(logical -> nameInOutput(member, logical))
                .orElse(member.physical());
    }

    /** Whether a member is known to have the columns of a definition in its shard's answer. */
    public boolean isSame(MemberDefinition known, TableDefinition answered) {
        return known.definition()
                .filter(each -> Conformity.sameColumns(each, listed(each.name(), answered)))
                .isPresent();
    }

    /** Definitions that shards were asked for, and table maps whose names were used instead; any thread. */
    public Count learned() {
        return learned;
    }

    /**
     * A table map of a member has shown other columns than the known ones.
     *
     * @param now the answer of its shard, with which the table map agrees; empty if there is none: then the names in table maps are used
     */
    public void learned(int shard, TableRef ref, Optional<TableDefinition> now) {
        TableName table = nameInOutput(shard, ref);
        TableMember member = new TableMember(shard, ref.physical());
        learned.add(1);
        LOG.warn(
                "definition learned: shard={} table={} member={} definition=\"{}\" output=\"{}\" reason=\"a statement"
                        + " could not be read, or a change was missed, such as one with sql_log_bin = 0\"",
                names.of(shard),
                table,
                ref.physical(),
                now.map(CreateTable::text).orElse("of a later time, so the names in its table maps are used"),
                definitions.inOutput(table).map(CreateTable::text).orElse("not known"));
        Optional<TableDefinition> definition =
                now.map(each -> listed(table, each).named(table));
        if (definition.isPresent() && definitions.inOutput(table).isEmpty() && !lacksColumns(member)) {
            definitions.learnedOutput(table, definition.get());
        }
        definitions.put(table, member, MemberDefinition.of(definition));
    }

    /**
     * Writes columns that only one member has, because a change of it was missed, as a separate statement. Columns that may be columns of the output
     * under another name, that are generated, or that each shard fills with its own values are excluded: they wait for another member's statement.
     *
     * @param now the answer of the member's shard
     * @param map the member's table map
     */
    public void addMissed(int shard, TableRef ref, TableDefinition now, ByteBuffer map) {
        TableName table = nameInOutput(shard, ref);
        Optional<TableDefinition> output = definitions.inOutput(table);
        Optional<TableDefinition> known =
                definitions.of(table, shard, ref.physical()).definition();
        if (output.isEmpty()
                || known.orElse(output.get()).columns().stream()
                        .anyMatch(column -> now.column(column.name()).isEmpty())) {
            return;
        }
        List<Column> added = now.columns().stream()
                .filter(column -> output.get().column(column.name()).isEmpty()
                        && (known.isEmpty() || known.get().column(column.name()).isEmpty()))
                .toList();
        String text = Alteration.adding(output.get(), now, added::contains);
        boolean isClear = added.stream()
                .noneMatch(column -> column.generation().isPresent() || AddedColumns.isApproximate(column));
        String id = SwapDifference.id(table, text);
        if (text.isEmpty() || !isClear || changes.containsKey(id)) {
            return;
        }
        TableMember member = new TableMember(shard, ref.physical());
        Target target = new Target(Effect.CHANGES, new TableName(ref.schema(), ref.table()), ref.physical());
        Part part = new Part(DdlKind.FORWARD, id, true, false, List.of(target));
        Change change = new Change(part, text, TimeUnit.SECONDS.toMicros(EventHeader.timestamp(map, 0)), this.now);
        LOG.warn(
                "ddl made: id={} table={} member={} statement=\"{}\" reason=\"the member has rows with these columns,"
                        + " and no statement that adds them was received, such as one with sql_log_bin = 0\"",
                id,
                table,
                names.text(member),
                text);
        ofOneMember.add(id);
        missed.add(id);
        change.keep(Statement.event(map, text), ServerVersion.STANDARD);
        writeLater(change, member);
    }

    /** The reason for which rows of a shard are held may have ended. */
    public void mayBeOver() {
        changed();
    }

    /** A member of a shard that has joined has other columns than the output, because it lacks a statement or for an unknown reason. */
    private void checkJoined(TableName table, TableMember member) {
        changes.values().stream()
                .filter(change -> change.part().reshapes() && !change.isToBeWritten() && change.lacks(member) > 0)
                .forEach(change -> definitions.renamedSince(table, member, change.text()));
        if (definitions.deviates(table, member) && !lacksColumns(member)) {
            LOG.warn(
                    "member of a joined shard differs: table={} member={} differences=\"{}\" effect=\"rows that"
                            + " cannot be written in the columns of the output hold its shard\" action=\"run"
                            + " tributary check\"",
                    table,
                    names.text(member),
                    definitions.differences(table, member));
        }
    }

    /** The definition of a member that its shard has listed, without a generated key if the output lacks it. */
    private TableDefinition listed(TableName table, TableDefinition definition) {
        return lacksGeneratedKey(table) ? definition.withoutGeneratedKey() : definition;
    }

    /** Whether the output lacks the generated key of a table. */
    private boolean lacksGeneratedKey(TableName table) {
        return rules.cutsGeneratedKeys()
                && definitions
                        .inOutput(table)
                        .map(known -> !known.hasGeneratedKey())
                        .orElseGet(() -> cutsNewKey(members.of(table).size()));
    }

    /** Whether the generated key of a table is removed when the table comes into the output: there are or may be several members. */
    private boolean cutsNewKey(int memberCount) {
        return rules.cutsGeneratedKeys() && (names.all().size() > 1 || memberCount > 1);
    }

    /** Whether the generated key is removed from rows of a table. */
    public boolean cutsGeneratedKey(int shard, TableRef table) {
        return lacksGeneratedKey(nameInOutput(shard, table));
    }

    /** What must be known before it is known whether the generated key is removed from rows of a table; "" for nothing. */
    public String awaitedForGeneratedKey(int shard, TableRef table) {
        boolean isAwaited = rules.cutsGeneratedKeys()
                && !listings.areComplete()
                && definitions.inOutput(nameInOutput(shard, table)).isEmpty();
        return isAwaited ? listings() : "";
    }

    /**
     * Writes a statement that drops the generated key of a table in the output, if the table has got a second member: their numbers collide.
     *
     * @param map a table map of the table
     * @return whether the statement is still to be written
     */
    public boolean dropsGeneratedKey(int shard, TableRef ref, ByteBuffer map) {
        TableName table = nameInOutput(shard, ref);
        if (!cutsNewKey(members.of(table).size())
                || !definitions
                        .inOutput(table)
                        .map(TableDefinition::hasGeneratedKey)
                        .orElse(false)) {
            return false;
        }
        String text = "ALTER TABLE " + SqlNames.name(table) + " DROP PRIMARY KEY, DROP COLUMN "
                + SqlNames.name(TableDefinition.GENERATED_KEY);
        String id = SwapDifference.id(table, text);
        if (changes.containsKey(id)) {
            return true;
        }
        TableMember member = new TableMember(shard, ref.physical());
        for (TableMember each : members.of(table)) {
            definitions.put(table, each, definitions.of(table, each).withoutGeneratedKey());
        }
        Target target = new Target(Effect.CHANGES, table, ref.physical());
        Part part = new Part(DdlKind.FORWARD, id, true, false, List.of(target));
        Change change = new Change(part, text, TimeUnit.SECONDS.toMicros(EventHeader.timestamp(map, 0)), now);
        LOG.warn(
                "ddl made: id={} table={} member={} statement=\"{}\" reason=\"the table has got a second member, and each"
                        + " generates its {} from 1\" key=ddl.gipk",
                id,
                table,
                names.text(member),
                text,
                TableDefinition.GENERATED_KEY);
        ofOneMember.add(id);
        change.keep(Statement.event(map, text), ServerVersion.STANDARD);
        writeLater(change, member);
        return true;
    }

    /** Whether a member has not executed a statement that has been written and changes columns. */
    private boolean lacksColumns(TableMember member) {
        return changes.values().stream()
                .anyMatch(change -> change.part().reshapes() && !change.isToBeWritten() && change.lacks(member) > 0);
    }

    /** Statements that were written before a shard joined are expected of it too, unless it has executed them. */
    private void expectOfJoined(int shard, Set<String> had) {
        for (Change change : changes.values()) {
            if (change.isToBeWritten()
                    || change.part().removesRows()
                    || had.contains(change.part().id())) {
                continue;
            }
            if (change.part().kind() == DdlKind.TEXT) {
                change.expect(TableMember.of(shard));
                continue;
            }
            for (TableMember member : members.of(change.table())) {
                if (member.shard() == shard) {
                    change.expect(member);
                }
            }
        }
    }

    /** Rows of a table were received from a shard. */
    public void rows(int shard, TableRef table) {
        members.add(new TableName(table.schema(), table.table()), new TableMember(shard, table.physical()));
    }

    /**
     * Adds a shard.
     *
     * @param received the GTIDs of it that need not be received
     */
    void join(int shard, String name, GtidSet received) {
        names.put(shard, name);
        hidden.removeShard(name); // of an earlier time
        listings.expect(shard, received);
        listed.expect(shard);
        hadBefore.put(shard, new HashSet<>());
        newcomers.add(shard);
        changed();
    }

    /** The statements that a shard executed before it joined have been read again; its list of tables may have been received before. */
    public void joined(int shard) {
        ShardTables tables = early.remove(shard);
        if (tables != null) {
            tables(shard, tables);
        }
    }

    /** A shard executed the statement before it joined. */
    public void hadBefore(Ddl ddl, int shard) {
        Set<String> had = hadBefore.get(shard);
        if (had != null) {
            ddl.parts().forEach(part -> had.add(part.id()));
        }
    }

    /** A shard has left: its members are removed, and no statements are expected of them. */
    void leave(int shard) {
        members.removeShard(shard);
        arrivals.removeShard(shard);
        listings.leave(shard);
        listed.leave(shard);
        waiting.remove(shard);
        hadBefore.remove(shard);
        newcomers.remove(shard);
        definitions.removeShard(shard);
        hidden.removeShard(names.of(shard));
        collations.leave(shard);
        decisions.forget(names.of(shard));
        names.remove(shard);
        for (Change change : List.copyOf(changes.values())) {
            Function<Collection<TableMember>, List<TableMember>> ofShard =
                    all -> all.stream().filter(each -> each.shard() == shard).toList();
            ofShard.apply(change.lacking()).forEach(change::remove);
            ofShard.apply(change.having()).forEach(change::remove);
            update(change);
        }
        changed();
    }

    /** Increases whenever a decision may be different from before. */
    public long version() {
        return version;
    }

    private void changed() {
        version++;
    }

    // ---- whether a statement may be processed

    /**
     * Whether a statement at the head of its shard's queue may be processed now; otherwise its shard waits there.
     *
     * @param token of kind DDL
     */
    public boolean mayProcess(Token token, Queues queues) {
        passesOthers = false;
        WaitingStatement wait = waitOf(token, queues);
        WaitingStatement before = waiting.get(token.shard());
        if (wait == null) {
            waiting.remove(token.shard());
            return true;
        }
        boolean isSame = before != null && before.isAt(token);
        waiting.put(token.shard(), wait.since(isSame ? before.sinceNanos() : now));
        return false;
    }

    private WaitingStatement waitOf(Token token, Queues queues) {
        for (Part part : token.ddl().parts()) {
            if (part.kind() == DdlKind.TEXT) {
                continue;
            }
            if (!listings.areComplete()) {
                return new WaitingStatement(token, null, List.of(), List.of(), listings(), now);
            }
            WaitingStatement wait = waitOf(token, part, queues);
            if (wait != null) {
                return wait;
            }
        }
        return null;
    }

    private String listings() {
        List<String> unlisted = new ArrayList<>();
        for (int shard : names.all()) {
            if (!listings.isComplete(shard)) {
                unlisted.add(names.of(shard) + (listings.hasList(shard) ? " (its log up to the list)" : ""));
            }
        }
        return "the list of tables of shard " + String.join(", ", unlisted);
    }

    private WaitingStatement waitOf(Token token, Part part, Queues queues) {
        boolean waits = part.kind() == DdlKind.WAIT && !isIgnored(part);
        if (!waits || isExpected(token.shard(), part) || decisions.concerns(part, memberText(token.shard(), part))) {
            return null;
        }
        TableMember own = new TableMember(token.shard(), part.targets().get(0).physical());
        if (part.conditional() && !members.has(part.targets().get(0).logical(), own) || isGone(own)) {
            return null;
        }
        List<TableMember> has = new ArrayList<>(List.of(own));
        List<TableMember> lacks = new ArrayList<>();
        for (TableMember other : others(token.shard(), part)) {
            (isReceived(other, part) ? has : lacks).add(other);
        }
        if (!lacks.isEmpty()) {
            String reason = "the same statement on " + String.join(", ", names.texts(lacks));
            return new WaitingStatement(token, part, has, lacks, reason, now);
        }
        if (part.has(Effect.EMPTIES_PARTITIONS)) {
            List<TableMember> late = awaited(token.shard(), part, queues);
            if (!late.isEmpty()) {
                String reason = "all transactions before the same statement on " + String.join(", ", names.texts(late));
                return new WaitingStatement(token, part, has, List.of(), reason, now);
            }
        }
        return null;
    }

    /**
     * For partitions, rows of the other members stay, so none can be left out. The last member of a shard waits until every other shard has reached
     * its own statement. If one cannot reach it before this shard has continued, no shard waits, and the last one of all writes the statement.
     */
    private List<TableMember> awaited(int shard, Part part, Queues queues) {
        List<TableMember> lacking = lackingPartitions(shard, part);
        if (lacking.stream().anyMatch(other -> other.shard() == shard)) {
            return List.of();
        }
        List<TableMember> late = new ArrayList<>();
        for (TableMember other : lacking) {
            if (queues.waitsFor(other.shard(), shard)) {
                passesOthers = true;
                return List.of();
            }
            if (!isLastAtItsPlace(other, lacking, part, queues)) {
                late.add(other);
            }
        }
        return late;
    }

    /** The members of the partitioned table, which is the first target, that still have to execute the statement. */
    private List<TableMember> lackingPartitions(int shard, Part part) {
        Change change = changes.get(part.id());
        TableName table = part.targets().get(0).logical();
        return others(shard, part).stream()
                .filter(other -> members.has(table, other))
                .filter(other -> change == null || !change.has(other))
                .toList();
    }

    private static boolean isLastAtItsPlace(TableMember member, List<TableMember> lacking, Part part, Queues queues) {
        long ofShard =
                lacking.stream().filter(each -> each.shard() == member.shard()).count();
        return ofShard == 1 && queues.isAt(member.shard(), part.id());
    }

    /** Whether the member's own statement has been received, in addition to those that belong to earlier ones. */
    private boolean isReceived(TableMember member, Part part) {
        Change change = changes.get(part.id());
        int earlier = lacks(member, part);
        boolean hasCounted = change != null && change.has(member);
        return hasCounted
                || arrivals.count(member, part.id()) > earlier
                || part.has(Effect.REMOVES) && !member.isSchema() && arrivals.removesSchemaOf(member);
    }

    /** How often the member still has to execute a statement that has been written. */
    private int lacks(TableMember member, Part part) {
        Change change = changes.get(part.id());
        return change == null ? 0 : change.lacks(member);
    }

    private boolean isExpected(int shard, Part part) {
        Change change = changes.get(part.id());
        return change != null && own(shard, part).stream().anyMatch(member -> change.lacks(member) > 0);
    }

    private static List<Target> subjects(Part part) {
        return part.targets().stream()
                .filter(target -> target.effect() != Effect.BECOMES)
                .toList();
    }

    /** The members of the part's own shard that execute it. */
    private static List<TableMember> own(int shard, Part part) {
        return part.kind() == DdlKind.TEXT
                ? List.of(TableMember.of(shard))
                : subjects(part).stream()
                        .map(target -> new TableMember(shard, target.physical()))
                        .toList();
    }

    /** The other members that have to execute the part too: those of its tables that exist, and are in the output. */
    private List<TableMember> others(int shard, Part part) {
        if (part.kind() == DdlKind.TEXT) {
            return names.all().stream()
                    .filter(other -> other != shard)
                    .map(TableMember::of)
                    .toList();
        }
        List<TableMember> others = new ArrayList<>();
        for (Target target : subjects(part)) {
            TableMember own = new TableMember(shard, target.physical());
            for (TableMember other : members.of(target.logical())) {
                boolean isThere = !arrivals.isStillToBeCreated(other) && !isGone(other);
                // a member that will be created again lacks a statement that is written at the last one
                if (!other.equals(own) && (isThere || part.kind() == DdlKind.LATE && !isRenamed(other))) {
                    others.add(other);
                }
            }
            if (part.kind() == DdlKind.LATE) {
                arrivals.toBeCreated(target.logical()).stream()
                        .filter(other -> !other.equals(own) && !others.contains(other))
                        .forEach(others::add);
            }
            renamedTo(target.logical()).stream()
                    .filter(other -> !other.equals(own))
                    .forEach(others::add);
            if (part.has(Effect.EMPTIES) || part.has(Effect.REMOVES)) {
                arrivals.createdBefore(target.logical(), part.id()).stream()
                        .filter(other ->
                                !other.equals(own) && others.stream().noneMatch(each -> arrivals.becomes(each, other)))
                        .filter(other -> arrivals.count(other, part.id()) > lacks(other, part))
                        .forEach(others::add);
            }
        }
        return others;
    }

    /** Members that still have another name: a RENAME to this one has been written, and theirs was not received. */
    private List<TableMember> renamedTo(TableName logical) {
        Set<TableMember> found = new LinkedHashSet<>();
        for (Change change : changes.values()) {
            for (Target target : change.part().targets()) {
                for (TableMember member :
                        target.effect() == Effect.RENAMES ? change.lacking() : List.<TableMember>of()) {
                    if (members.has(target.logical(), member)
                            && nameInOutput(member, target.logical()).equals(logical)) {
                        found.add(member);
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    /** The members of a table by its name in the output: also those that have not executed its RENAME. */
    private List<TableMember> membersInOutput(TableName logical) {
        return concat(members.of(logical), renamedTo(logical));
    }

    /** The current name of the member's table in the output. */
    private TableName nameInOutput(TableMember member, TableName logical) {
        TableName name = logical;
        for (Change change : changes.values()) {
            name = change.lacks(member) > 0 ? change.renamed(name) : name;
        }
        return name;
    }

    /** Whether the table has another name in the output than on the member. */
    private boolean isRenamed(TableMember member) {
        return changes.values().stream()
                .anyMatch(change -> change.lacks(member) > 0 && change.part().has(Effect.RENAMES));
    }

    /** Whether the table is not in the output any more, although the member still has it. */
    private boolean isGone(TableMember member) {
        for (Change change : changes.values()) {
            boolean isTable = change.lacks(member) > 0
                    && (change.part().has(Effect.REMOVES) || change.part().has(Effect.RENAMES));
            if (isTable || change.part().has(Effect.REMOVES) && change.lacks(member.schema()) > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean isInOutput(TableName logical, TableMember except) {
        return definitions.isKept(logical)
                || members.of(logical).stream()
                        .anyMatch(other ->
                                !other.equals(except) && !arrivals.isStillToBeCreated(other) && !isGone(other));
    }

    /** The same, except for a member that is in a list of a later time and that the next statement creates if it does not exist. */
    private boolean isSurelyInOutput(TableName logical, TableMember except) {
        return definitions.isKept(logical)
                || members.of(logical).stream()
                        .anyMatch(other -> !other.equals(except) && !arrivals.createsNext(other) && !isGone(other));
    }

    // ---- a statement is processed

    /**
     * Processes a statement that {@link #mayProcess} allows.
     *
     * @return for each of its parts whether it is written now
     */
    public boolean[] process(Token read) {
        waiting.remove(read.shard());
        arrivals.processed(read.shard(), read.ddl());
        List<HiddenTable> after = hidden.after(read.shard(), read.hidden(), this::definitionOf);
        Token token = resolved(read);
        List<Part> parts = token.ddl().parts();
        boolean[] written = new boolean[parts.size()];
        for (int i = 0; i < written.length; i++) {
            noteCollation(token, i);
            written[i] = process(token, i);
        }
        hidden.put(token.shard(), after);
        releaseDeferred();
        listed.processed(token);
        acceptDefinitions();
        changed();
        return written;
    }

    private boolean process(Token token, int place) {
        Part part = token.ddl().parts().get(place);
        int shard = token.shard();
        SwapDifference swap = swapOf(token);
        DefinitionChange definition = definitionChange(token, place);
        DdlDecision decision = null;
        boolean isWritten = false;
        boolean wasExpected = isExpected(shard, part);
        if (wasExpected) {
            expectedArrived(shard, part);
        } else {
            decision = decisions.poll(part, memberText(shard, part));
            isWritten = concernsOutput(shard, part, decision)
                    && (swap == null || swap.isClear())
                    && isToBeWritten(definition, part)
                    && (swap != null || isWrittenNow(token, place, decision, definition));
        }
        String elsewhere = wasExpected || isWritten || decision != null ? "" : underNameInOutput(definition);
        if (definition != null) {
            applyDefinition(token, part, definition, isWritten, swap != null);
            if (!wasExpected) {
                removeMade(definition);
            }
        }
        if (isWritten && swap != null) {
            writeLater(part, token, place, swap.text());
            return false;
        }
        if (isWritten) {
            recordWritten(part, token.ddl().text());
        } else if (part.kind() == DdlKind.NEW && !isGone(own(shard, part).get(0))) {
            expectOfCreated(shard, part, token);
        }
        apply(shard, part);
        if (decision != null && decision.verb() == DdlDecision.Verb.TEXT) {
            writeInstead(token, place, definition, decision.text());
        } else if (!elsewhere.isEmpty()) {
            writeUnderOtherName(token, place, definition.replacement(elsewhere), elsewhere);
        }
        if (!isWritten && isIgnored(part)) {
            ignored(shard, part, token.ddl().text());
        }
        boolean isCreated = isWritten && part.kind() == DdlKind.NEW && definition != null && definition.hasText();
        return isWritten && !(isCreated && isCreatedByOtherText(token, place, definition));
    }

    private boolean concernsOutput(int shard, Part part, DdlDecision decision) {
        return !leavesOut(decision) && !isIgnored(part) && !hasNoEffect(shard, part);
    }

    /** A statement that was written has arrived on one of the members that were expected to execute it. */
    private void expectedArrived(int shard, Part part) {
        Change change = changes.get(part.id());
        own(shard, part).forEach(change::arrived);
        update(change);
        decisions.forget(part, memberText(shard, part));
    }

    private void applyDefinition(
            Token token, Part part, DefinitionChange definition, boolean isWritten, boolean isSwap) {
        if (isWritten && !definition.approximate().isEmpty()) {
            noteApproximate(
                    part, definition, definition.approximate(), token.ddl().text());
        }
        definition.apply(isWritten && !isSwap);
    }

    private void writeUnderOtherName(Token token, int place, Part other, String text) {
        ofOneMember.add(other.id());
        writeLater(other, token, place, text);
    }

    /** Whether the table is created in the output by another statement than that of the shard, which is written later. */
    private boolean isCreatedByOtherText(Token token, int place, DefinitionChange definition) {
        Part part = token.ddl().parts().get(place);
        Statement logged = statement(token, place);
        String unlike = definitions.createdUnlike(
                definition.tableInOutput(), definition.member(), logged, source -> unwrittenOn(source, token.shard()));
        String text = unlike.isEmpty() ? withoutGeneratedKey(token, part, logged) : unlike;
        if (text.equals(logged.text())) {
            return false;
        }
        writeLater(part, token, place, text);
        return true;
    }

    private List<Statement> unwrittenOn(TableName table, int shard) {
        return members.of(table).stream()
                .filter(each -> each.shard() == shard)
                .findFirst()
                .map(each -> unwritten(table, each))
                .orElse(List.of());
    }

    /** Statements on a table that a member has executed and that are not written yet, oldest first. */
    private List<Statement> unwritten(TableName table, TableMember member) {
        return changes.values().stream()
                .filter(change -> change.isToBeWritten() && table.equals(change.table()) && change.has(member))
                .map(Change::statement)
                .toList();
    }

    /** A statement of a member whose table has another name in the output, in the form that is written there; "" if it is not written. */
    private String underNameInOutput(DefinitionChange definition) {
        return definition != null && isGone(definition.member()) ? definition.underNameInOutput() : "";
    }

    /** A member that has reached the columns of the output by its own statements need not execute one that this node has made. */
    private void removeMade(DefinitionChange definition) {
        TableMember member = definition.member();
        TableName table = definition.tableInOutput();
        List<Change> made = changes.values().stream()
                .filter(change -> change.lacks(member) > 0 && !change.isToBeWritten())
                .filter(change -> change.part().reshapes())
                .filter(change -> change.part().id().equals(SwapDifference.id(change.table(), change.text())))
                .toList();
        if (!made.isEmpty() && definitions.inOutput(table).isPresent() && !definitions.deviates(table, member)) {
            for (Change change : made) {
                change.remove(member);
                update(change);
            }
        }
    }

    /** Writes a statement in place of one that has changed its member already. */
    private void writeInstead(Token token, int place, DefinitionChange definition, String text) {
        writeLater(definition.replacement(text), token, place, text);
        LOG.warn(
                "ddl replaced: table={} member={} statement=\"{}\" written=\"{}\" reason=\"an operator's decision\"",
                definition.tableInOutput(),
                names.text(definition.member()),
                token.ddl().text(),
                text);
    }

    /** The statement is written next, also after a restart of the node. */
    private void writeLater(Part part, Token token, int place, String text) {
        Change change = new Change(part, text, token.commitMicros(), now);
        ByteBuffer event = Statement.with(StatementEvents.copy(token.payload(), place), text);
        change.keep(event, token.ddl().server());
        writeLater(change, new TableMember(token.shard(), part.targets().get(0).physical()));
    }

    private void writeLater(Change change, TableMember member) {
        change.count(member);
        changes.put(change.part().id(), change);
        decisions.add(new DdlDecision(
                DdlDecision.Verb.TEXT, change.part().id(), "", true, change.text())); // until it is written
        due.add(change);
        changed();
    }

    /** Whether the statement changes only its member, because of the configuration. */
    private boolean isIgnored(Part part) {
        if (part.targets().size() != 1) {
            return false;
        }
        Target target = part.targets().get(0);
        return switch (target.effect()) {
            case REMOVES ->
                !target.logical().table().isEmpty() && rules.ignoresDrop().test(target.physical());
            case EMPTIES -> rules.ignoresTruncate().test(target.physical());
            default -> false;
        };
    }

    private void ignored(int shard, Part part, String text) {
        Target target = part.targets().get(0);
        ignored.add(1);
        LOG.info(
                "ddl ignored: id={} member={} table={} statement=\"{}\" key=ddl.{} effect=\"it changes this member"
                        + " only, its rows stay on the replicas\"",
                part.id(),
                names.text(new TableMember(shard, target.physical())),
                target.logical(),
                text,
                target.effect() == Effect.REMOVES ? "drop" : "truncate");
        TableMember member = new TableMember(shard, target.physical());
        if (target.effect() == Effect.REMOVES && !isInOutput(target.logical(), member)) {
            definitions.keep(target.logical());
        }
    }

    /**
     * The text of a CREATE TABLE that the server has logged with a generated key, without that key; rows of members would have the same numbers in
     * it.
     */
    private String withoutGeneratedKey(Token token, Part part, Statement statement) {
        boolean hasRows = !token.tables().isEmpty(); // CREATE TABLE ... SELECT, whose rows follow it
        int memberCount = members.of(part.targets().get(0).logical()).size();
        return cutsNewKey(memberCount) && !hasRows
                ? GeneratedKeyText.without(statement.text(), statement.session().mode())
                : statement.text();
    }

    private void noteApproximate(Part part, DefinitionChange definition, String columns, String text) {
        List<Integer> shards = definition.members().stream()
                .map(TableMember::shard)
                .distinct()
                .sorted()
                .toList();
        approximate.written(
                part.id(), changes.containsKey(part.id()), "each shard fills " + columns + " with its own values");
        LOG.warn(
                "ddl approximate: id={} table={} columns=\"{}\" shards=\"{}\" statement=\"{}\" key=ddl.approximate"
                        + " effect=\"each shard fills these columns with its own values, the replicas fill them with"
                        + " others\"",
                part.id(),
                part.targets().get(0).logical(),
                columns,
                shards.stream().map(names::of).collect(Collectors.joining(", ")),
                text);
    }

    private Statement statement(Token token, int place) {
        String schema =
                token.ddl().parts().get(place).targets().get(0).physical().schema();
        return Statement.of(
                        StatementEvents.copy(token.payload(), place),
                        token.ddl().server())
                .withCollation(collations.of(token.shard(), schema));
    }

    /** CREATE DATABASE and ALTER DATABASE define the default collation of their schema. */
    private void noteCollation(Token token, int place) {
        Part part = token.ddl().parts().get(place);
        Target first = part.targets().isEmpty() ? null : part.targets().get(0);
        boolean isOfSchema = first != null
                && first.logical().table().isEmpty()
                && !first.physical().schema().isEmpty();
        boolean isCreated = isOfSchema && first.effect() == Effect.CREATES;
        if ((isCreated || isOfSchema && first.effect() == Effect.CHANGES) && token.payload() != null) {
            ByteBuffer event = StatementEvents.copy(token.payload(), place);
            TableMember schema = new TableMember(token.shard(), first.physical());
            collations.processed(schema, isCreated, event, token.ddl().server());
        }
    }

    /** Null if a part changes no definition. */
    private DefinitionChange definitionChange(Token token, int place) {
        Part part = token.ddl().parts().get(place);
        SwapDifference swap = swapOf(token);
        if (part.kind() == DdlKind.TEXT
                || part.targets().isEmpty()
                || swap != null && swap.texts().isEmpty()) {
            return null;
        }
        boolean isThere = part.kind() == DdlKind.NEW
                && part.conditional()
                && others(Integer.MIN_VALUE, part)
                        .contains(new TableMember(
                                token.shard(), part.targets().get(0).physical()));
        if (isThere) {
            return null; // IF NOT EXISTS does nothing
        }
        boolean isRead = DefinitionChange.needsStatement(part) && token.payload() != null;
        Statement statement = isRead ? statement(token, place) : null;
        if (statement != null && swap != null) {
            statement = statement.with(swap.text());
        }
        if (statement != null && part.has(Effect.CREATES)) {
            statement = statement.with(withoutGeneratedKey(token, part, statement));
        }
        return new DefinitionChange(definitions, token.shard(), part, statement, this::nameInOutput);
    }

    /** Decides by the columns that the table has on the member and in the output. */
    private boolean isToBeWritten(DefinitionChange definition, Part part) {
        Definitions.Verdict verdict = definition == null ? Definitions.Verdict.UNKNOWN : definition.verdict();
        return switch (verdict) {
            case UNKNOWN, WRITTEN -> !isRefused(definition); // else left out by an operator's decision
            case HAS_EFFECT -> {
                LOG.info(
                        "ddl not written: id={} member={} reason=\"the table in the output has its effect already\"",
                        part.id(),
                        names.text(definition.member()));
                yield false;
            }
            case CONFLICT -> false; // left out by an operator's decision
        };
    }

    /**
     * The question if a statement that may be processed cannot be written: the table in the output has neither its effect nor the items that it
     * changes. Null if it can be written, or need not be.
     */
    public Question conflict(Token read) {
        SwapDifference swap = swapOf(read);
        if (swap != null && !swap.isKnown()) {
            return swap.question(read, names.of(read.shard()));
        }
        Token token = resolved(read);
        List<Part> parts = token.ddl().parts();
        for (int place = 0; place < parts.size(); place++) {
            Part part = parts.get(place);
            boolean isDecided = isExpected(token.shard(), part)
                    || decisions.concerns(part, memberText(token.shard(), part))
                    || hasNoEffect(token.shard(), part);
            DefinitionChange definition = isDecided ? null : definitionChange(token, place);
            if (definition == null) {
                continue;
            }
            Definitions.Verdict verdict = definition.verdict();
            if (swap != null && !swap.isClear() && verdict != Definitions.Verdict.HAS_EFFECT) {
                return swap.question(token, names.of(token.shard()));
            }
            if (verdict == Definitions.Verdict.CONFLICT) {
                return definition.question(token, names.of(token.shard()));
            }
            if (verdict != Definitions.Verdict.HAS_EFFECT && isRefused(definition)) {
                return definition.refusal(token, names.of(token.shard()));
            }
        }
        return null;
    }

    private boolean isRefused(DefinitionChange definition) {
        return definition != null
                && rules.refusesApproximate()
                && !definition.approximate().isEmpty();
    }

    /** Records a written statement for the tables that were created in the stream. */
    private void recordWritten(Part part, String text) {
        List<Target> targets = part.targets();
        for (int i = 0; i < targets.size(); i++) {
            TableName table = targets.get(i).logical();
            switch (targets.get(i).effect()) {
                case CREATES -> {
                    if (!table.table().isEmpty()) {
                        created.created(table, part.id());
                    }
                }
                case REMOVES -> {
                    if (table.table().isEmpty()) {
                        created.removeSchema(table.schema());
                    } else {
                        created.remove(table);
                    }
                }
                case RENAMES -> created.renamed(table, targets.get(i + 1).logical());
                case CHANGES -> {
                    if (part.kind() != DdlKind.TEXT) {
                        created.written(table, part, text);
                    }
                }
                case EMPTIES, EMPTIES_PARTITIONS, BECOMES -> {}
            }
        }
    }

    /** A member is created in the same way as the table was: the statements on the table that were written since then are expected of it. */
    private void expectOfCreated(int shard, Part part, Token token) {
        Target first = part.targets().get(0);
        TableMember member = new TableMember(shard, first.physical());
        if (members.has(first.logical(), member) && !arrivals.isStillToBeCreated(member) && part.conditional()) {
            return; // it was there before
        }
        for (Written each : created.since(first.logical(), part.id())) {
            if (each.part().reshapes()) {
                definitions.renamedSince(first.logical(), member, each.text());
            }
            changes.computeIfAbsent(
                            each.part().id(), any -> new Change(each.part(), each.text(), token.commitMicros(), now))
                    .expect(member);
        }
    }

    private static boolean leavesOut(DdlDecision decision) {
        return decision != null
                && (decision.verb() == DdlDecision.Verb.IGNORE
                        || decision.verb() == DdlDecision.Verb.SKIP
                        || decision.verb() == DdlDecision.Verb.TEXT);
    }

    /** Whether it changes nothing in the output: its table is dropped there, or IF EXISTS had no effect while others have the table. */
    private boolean hasNoEffect(int shard, Part part) {
        Target first = part.targets().isEmpty() ? null : part.targets().get(0);
        if (first == null || part.kind() == DdlKind.TEXT) {
            return false;
        }
        TableMember own = new TableMember(shard, first.physical());
        boolean isThere = members.has(first.logical(), own);
        boolean didNothing =
                part.conditional() && first.effect() != Effect.CREATES && !isThere && isInOutput(first.logical(), own);
        return didNothing || isGone(own);
    }

    private boolean isWrittenNow(Token token, int place, DdlDecision decision, DefinitionChange definition) {
        Part part = token.ddl().parts().get(place);
        int shard = token.shard();
        if (part.kind() == DdlKind.NEW) {
            return isNew(shard, part);
        }
        Change change = changes.computeIfAbsent(
                part.id(), any -> new Change(part, token.ddl().text(), token.commitMicros(), now));
        Change undone = definition == null ? null : undone(definition, part);
        if (undone != null) {
            Statement added = undone.statement();
            lacking(undone).forEach(undone::expect);
            undone.written();
            update(undone);
            writeRest(definition, token, place, added);
            List<TableMember> before =
                    change.having(); // theirs was counted, because another statement was not written yet
            change.written();
            awaited(decision, part, others(shard, part)).stream()
                    .filter(other -> !before.contains(other))
                    .forEach(change::expect);
            update(change);
            return false;
        }
        Statement placed = definition == null ? null : definition.placed();
        if (placed != null && !change.isToBeWritten() && !isAfterCounted(definition, part)) {
            change.count(definition.member());
            change.keep(
                    Statement.with(StatementEvents.copy(token.payload(), place), placed.text()),
                    token.ddl().server());
            return false; // it is released at once
        }
        if (Change.isWrittenLast(part)
                || change.isToBeWritten()
                || definition != null && isAfterCounted(definition, part)) {
            return isLast(token, place, change, decision, definition);
        }
        awaited(decision, part, others(shard, part)).forEach(change::expect);
        update(change);
        if (part.kind() == DdlKind.TEXT) {
            forgetOldTexts();
        }
        return true;
    }

    /**
     * Writes the remaining effect of two statements of which one adds a constraint and the other drops it, for example the index of a foreign key.
     */
    private void writeRest(DefinitionChange definition, Token token, int place, Statement added) {
        String text = definition.rest(added);
        if (!text.isEmpty()) {
            Part rest = definition.replacement(text);
            ofOneMember.add(rest.id());
            writeLater(rest, token, place, text);
        }
    }

    /**
     * A constraint that a member has added and now drops while others still lack it, for example an index. Neither the statement that adds it nor the
     * one that drops it is written, because rows may violate it from now on. The same applies to a generated column. Null if there is none.
     */
    private Change undone(DefinitionChange definition, Part part) {
        boolean mayUndo = part.kind() == DdlKind.EARLY || definition.isOfExtraGenerated();
        if (!mayUndo || !definition.isDrop() || definition.canBeWritten()) {
            return null;
        }
        List<Change> added = changes.values().stream()
                .filter(other -> other.isToBeWritten() && other.part().kind() == DdlKind.LATE)
                .filter(other -> other.has(definition.member()))
                .toList();
        return Stream.concat(
                        added.stream().filter(other -> definition.namesDropped(other.text())),
                        added.stream().filter(other -> definition.canBeWrittenAfter(other.statement())))
                .findFirst()
                .orElse(null);
    }

    /**
     * Whether a statement depends on another one that its member has executed and that is not written yet, for example DROP INDEX of a unique key
     * that other members lack. Then it is written at the last member too.
     */
    private boolean isAfterCounted(DefinitionChange definition, Part part) {
        if (part.kind() != DdlKind.EARLY && !definition.isOfExtraGenerated()) {
            return false;
        }
        TableMember member = definition.member();
        return changes.values().stream()
                .filter(other -> other.isToBeWritten() && other.has(member))
                .anyMatch(other -> other.part().has(Effect.EMPTIES_PARTITIONS)
                        ? definition.needsPartitionsOf(other.text())
                        : !definition.canBeWritten());
    }

    /** A statement that was deferred because it depends on another one is written as soon as that one is. */
    private void releaseDeferred() {
        for (Change change : changes.values()) {
            if (isDeferred(change) && !due.contains(change) && !isBlocked(change)) {
                due.add(change);
            }
        }
    }

    private static boolean isDeferred(Change change) {
        return change.isToBeWritten() && !Change.isWrittenLast(change.part());
    }

    private boolean isBlocked(Change change) {
        Statement statement = change.statement();
        boolean needsPartitions = changes.values().stream()
                .filter(other -> other.isToBeWritten() && other.part().has(Effect.EMPTIES_PARTITIONS))
                .anyMatch(other ->
                        change.having().stream().anyMatch(other::has) && statement.needsPartitionsOf(other.text()));
        return needsPartitions || !definitions.canBeWritten(change.table(), statement);
    }

    /** An additional CREATE ... IF NOT EXISTS has no effect on a replica, but a missing one is a missing table. */
    private boolean isNew(int shard, Part part) {
        Target first = part.targets().get(0);
        TableMember own = new TableMember(shard, first.physical());
        return part.conditional() ? !isSurelyInOutput(first.logical(), own) : !isInOutput(first.logical(), own);
    }

    /** The members that still have to execute a statement which is written now: all, or those of which it has been received (DONE). */
    private List<TableMember> awaited(DdlDecision decision, Part part, List<TableMember> others) {
        return decision == null || decision.verb() != DdlDecision.Verb.DONE
                ? others
                : others.stream().filter(other -> isReceived(other, part)).toList();
    }

    /** Counts a part that is written at the last member; true if this is the last one and nothing else would write it. */
    private boolean isLast(Token token, int place, Change change, DdlDecision decision, DefinitionChange definition) {
        Part part = token.ddl().parts().get(place);
        ByteBuffer event = StatementEvents.copy(token.payload(), place);
        boolean lacksNames = part.kind() == DdlKind.LATE && definition != null && definition.lacksNames();
        if (lacksNames && !change.isToBeWritten()) {
            Statement named = definition.named(unwritten(change.table(), definition.member()));
            change.keep(Statement.with(event, named.text()), token.ddl().server());
        }
        List<TableMember> own = own(token.shard(), part);
        change.count(own.get(0));
        own.subList(1, own.size()).forEach(change::note);
        List<TableMember> lacking = others(token.shard(), part).stream()
                .filter(other -> !change.has(other))
                .toList();
        boolean allAreAtIt = part.has(Effect.EMPTIES_PARTITIONS)
                && !passesOthers
                && lacking.stream().noneMatch(other -> other.shard() == token.shard());
        boolean hasDecision = decision != null; // write it now, or do not wait any more
        if (lacking.isEmpty() && !hasDecision && part.kind() == DdlKind.LATE && (part.reshapes() || lacksNames)) {
            if (!lacksNames) {
                change.keep(event, token.ddl().server());
            }
            if (!due.contains(change)) {
                due.add(change); // written next, with its columns in their positions, and with the members' names
            }
            return false;
        }
        if (lacking.isEmpty() || allAreAtIt || hasDecision) {
            List<TableMember> awaited = awaited(decision, part, lacking);
            change.written();
            awaited.forEach(change::expect);
            update(change);
            return true;
        }
        if (!change.isToBeWritten()) {
            change.keep(event, token.ddl().server());
        }
        return false;
    }

    /** It may be that only some shards ever execute a statement that is counted by shard. */
    private void forgetOldTexts() {
        List<Change> texts = changes.values().stream()
                .filter(each -> each.part().kind() == DdlKind.TEXT)
                .toList();
        if (texts.size() > MOST_TEXTS) {
            Change oldest = texts.get(0);
            LOG.warn(
                    "ddl no longer expected: id={} statement=\"{}\" lacks=\"{}\" most={} reason=\"more statements of"
                            + " its kind are expected\" effect=\"if a shard still runs it, it is written again\"",
                    oldest.part().id(),
                    oldest.text(),
                    names.texts(oldest.lacking()),
                    MOST_TEXTS);
            changes.remove(oldest.part().id());
        }
    }

    private void update(Change change) {
        boolean hasNoMember = change.isToBeWritten() && change.having().isEmpty();
        if (change.isComplete() || hasNoMember) {
            boolean wasThere = changes.remove(change.part().id(), change);
            approximate.forget(change.part().id());
            if (hasNoMember) {
                forgetUnwritten(change);
            }
            if (wasThere && change.isWarned()) {
                LOG.info("ddl complete: id={} table={}", change.part().id(), change.table());
            }
        } else if (change.isToBeWritten() && othersHaveIt(change)) {
            due.add(change);
            changed();
        }
    }

    private void forgetUnwritten(Change change) {
        LOG.warn(
                "ddl not written: id={} table={} statement=\"{}\" reason=\"no member that executed it exists any"
                        + " more\"",
                change.part().id(),
                change.table(),
                change.text());
        if (due.remove(change)) {
            decisions.pollAll(change.part());
        }
    }

    /** Whether every remaining member has executed a statement that is written at the last one. */
    private boolean othersHaveIt(Change change) {
        if (due.contains(change) || !listings.areComplete()) {
            return false;
        }
        List<TableMember> left = others(Integer.MIN_VALUE, change.part());
        return !left.isEmpty() && left.stream().allMatch(change::has);
    }

    /** All members are known: the last statement that was missing may have been received before a restart. */
    private void updateAll() {
        List.copyOf(changes.values()).forEach(this::update);
        releaseDeferred();
    }

    /**
     * Whether a statement has rows (CREATE TABLE ... SELECT) for a table that is in the output already, whose columns they must have; called before
     * it is processed.
     */
    public boolean addsRows(Token token) {
        int shard = token.shard();
        return !token.tables().isEmpty()
                && token.ddl().parts().stream()
                        .noneMatch(part -> part.has(Effect.CREATES)
                                && !isExpected(shard, part)
                                && !hasNoEffect(shard, part)
                                && (part.kind() != DdlKind.NEW || isNew(shard, part)));
    }

    // ---- the effect of a statement on members

    private void apply(int shard, Part part) {
        if (part.kind() == DdlKind.TEXT) {
            return;
        }
        for (int i = 0; i < part.targets().size(); i++) {
            Target target = part.targets().get(i);
            TableMember member = new TableMember(shard, target.physical());
            switch (target.effect()) {
                case CREATES, BECOMES -> members.add(target.logical(), member);
                case REMOVES -> remove(target.logical(), member);
                case RENAMES -> {
                    members.remove(target.logical(), member);
                    TableMember renamed =
                            new TableMember(shard, part.targets().get(i + 1).physical());
                    changes.values().forEach(change -> change.rename(member, renamed));
                }
                case EMPTIES, EMPTIES_PARTITIONS, CHANGES -> {}
            }
        }
    }

    private void remove(TableName logical, TableMember member) {
        if (member.isSchema()) {
            hidden.removeSchema(member);
            members.removeSchema(member);
            forget(each -> each.schema().equals(member));
        } else {
            members.remove(logical, member);
            forget(each -> each.equals(member));
        }
    }

    /** No statements are expected any more of members that were dropped. */
    private void forget(Predicate<TableMember> isGone) {
        for (Change change : List.copyOf(changes.values())) {
            if (change.part().kind() == DdlKind.TEXT) {
                continue;
            }
            boolean hasChanged = false;
            for (TableMember each : concat(change.lacking(), change.having())) {
                if (isGone.test(each)) {
                    change.remove(each);
                    hasChanged = true;
                }
            }
            if (hasChanged || change.isToBeWritten()) {
                update(change);
            }
        }
    }

    private static List<TableMember> concat(List<TableMember> some, List<TableMember> more) {
        List<TableMember> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    // ---- statements that are written without a token

    /** Whether there is a statement to write whose last missing member was removed, or for which no other member is waited for any more. */
    public boolean hasDue() {
        if (due.isEmpty() || !listings.areComplete()) {
            return false;
        }
        while (!due.isEmpty() && isOutdated(due.peek())) {
            Change change = due.poll();
            missed.remove(change.part().id());
            ofOneMember.remove(change.part().id());
            decisions.pollAll(change.part());
            changes.remove(change.part().id());
            changed();
        }
        return !due.isEmpty();
    }

    private boolean isOutdated(Change change) {
        return missed.contains(change.part().id()) && !definitions.canBeWritten(change.table(), change.statement());
    }

    /** Removes and returns the next of them. */
    public DueStatement pollDue() {
        Change change = due.poll();
        DueStatement statement = new DueStatement(change.part(), dueEvent(change));
        boolean hasDecision =
                decisions.pollAll(change.part()).stream().anyMatch(each -> each.verb() == DdlDecision.Verb.EMIT);
        boolean isOfOne = ofOneMember.remove(change.part().id());
        missed.remove(change.part().id());
        if (hasDecision || isDeferred(change) && !isOfOne) {
            others(Integer.MIN_VALUE, change.part()).stream()
                    .filter(other -> !change.has(other))
                    .forEach(change::expect);
        }
        recordWritten(change.part(), change.text());
        if (DefinitionChange.needsStatement(change.part()) && change.part().has(Effect.CHANGES)) {
            definitions.written(change.table(), change.part(), Statement.of(statement.event(), change.server()));
        }
        change.written();
        update(change);
        releaseDeferred();
        changed();
        return statement;
    }

    /** Generated columns get the positions that they have on a member, also if the output got other columns since then. */
    private ByteBuffer dueEvent(Change change) {
        Part part = change.part();
        if (part.kind() != DdlKind.LATE || !part.reshapes() || change.having().isEmpty()) {
            return change.event();
        }
        Statement own = change.statement();
        Statement placed = definitions.placedAsOn(change.table(), change.having(), own);
        return placed.equals(own)
                ? change.event()
                : Statement.with(change.event(), placed.text()).asReadOnlyBuffer();
    }

    /** Whether a statement waits until other shards reach theirs, for which there is no notification. */
    public boolean dependsOnQueues() {
        return waiting.values().stream()
                .anyMatch(each -> each.part() != null && each.lacks().isEmpty());
    }

    // ---- rows

    /** Whether rows of some members are left out or written under another name. */
    public boolean hasRules() {
        return changes.values().stream()
                .anyMatch(change -> !change.lacking().isEmpty()
                        && (change.part().has(Effect.REMOVES)
                                || change.part().has(Effect.EMPTIES)
                                || change.part().has(Effect.RENAMES)));
    }

    /** What to do with rows of a member; null if they are written unchanged. */
    public RowRule ruleOf(int shard, TableRef table) {
        if (changes.isEmpty()) {
            return null;
        }
        TableMember member = new TableMember(shard, table.physical());
        TableName name = new TableName(table.schema(), table.table());
        TableName renamed = name;
        for (Change change : changes.values()) {
            Part part = change.part();
            if (change.lacks(member) > 0) {
                if (part.has(Effect.EMPTIES) || part.has(Effect.REMOVES)) {
                    return new RowRule(true, name);
                }
                renamed = change.renamed(renamed);
            } else if (part.has(Effect.REMOVES) && change.lacks(member.schema()) > 0) {
                return new RowRule(true, name);
            }
        }
        return renamed.equals(name) ? null : new RowRule(false, renamed);
    }

    /** The definitions of tables and members. */
    public Definitions definitions() {
        return definitions;
    }

    /** The name of a member's table in the output. */
    public TableName nameInOutput(int shard, TableRef table) {
        return nameInOutput(new TableMember(shard, table.physical()), new TableName(table.schema(), table.table()));
    }

    /** Whether the definition of a table in the output is known. */
    public boolean isDefined(int shard, TableRef table) {
        return definitions.isKnown(nameInOutput(shard, table));
    }

    /** Whether a member is known to have other columns than the output, or unknown columns. */
    public boolean deviates(int shard, TableRef table) {
        return definitions.deviates(nameInOutput(shard, table), new TableMember(shard, table.physical()));
    }

    /** The statements that have been written, change the columns of the table, and were not received from this member. */
    public List<String> missing(int shard, TableRef table) {
        if (changes.isEmpty()) {
            return List.of();
        }
        TableMember member = new TableMember(shard, table.physical());
        return changes.values().stream()
                .filter(change -> change.part().reshapes() && !change.isToBeWritten() && change.lacks(member) > 0)
                .map(change -> change.part().id() + " (" + change.text() + ")")
                .toList();
    }

    // ---- operators

    /** The form of a member in decisions; "" for a statement without a table. */
    private String memberText(int shard, Part part) {
        return part.targets().isEmpty()
                ? ""
                : names.text(new TableMember(shard, part.targets().get(0).physical()));
    }

    /**
     * Executes an operator's decision, or keeps it for the statement that waits.
     *
     * @return what was done
     * @throws TributaryException DECISION_REFUSED with the reason
     */
    String execute(DdlDecision decision) {
        List<WaitingStatement> waits = waiting.values().stream()
                .filter(each -> each.part() != null
                        && OperatorDecisions.isMeant(decision, each.part().id()))
                .toList();
        if (!waits.isEmpty()) {
            Optional<WaitingStatement> named = waits.stream()
                    .filter(each ->
                            memberText(each.token().shard(), each.part()).equals(decision.member()))
                    .findFirst();
            return executeForWaiting(decision, named.orElse(waits.get(0)));
        }
        Change change = change(decision);
        if (change == null) {
            throw OperatorDecisions.refused("expected the id of a statement that waits or is not complete, found '"
                    + decision.id() + "': it may have ended; see `tributary ddl list`");
        }
        return executeForChange(decision, change);
    }

    /**
     * Accepts a text that is written in place of the statement at which a shard is held.
     *
     * @return what was done
     * @throws TributaryException DECISION_REFUSED with the reason
     */
    String replace(DdlDecision decision, Token read) {
        Token token = read.ddl() == null ? read : resolved(read);
        for (int place = 0; token.ddl() != null && place < token.ddl().parts().size(); place++) {
            Part part = token.ddl().parts().get(place);
            DefinitionChange definition = definitionChange(token, place);
            if (definition != null && definition.isReplaceable() && !isExpected(token.shard(), part)) {
                definition.requireLeads(decision.text());
                decisions.add(new DdlDecision(
                        DdlDecision.Verb.TEXT, part.id(), memberText(token.shard(), part), false, decision.text()));
                changed();
                return "this statement is written in place of the one of " + names.text(definition.member());
            }
        }
        throw OperatorDecisions.refused("expected an ALTER TABLE that changes columns at which a shard is held, found "
                + decision.id() + ": nothing can be written in its place; leave it out with `tributary ddl skip`");
    }

    /** The texts that can be written in place of the statement at which a shard is held. */
    List<String> replacements(Token read) {
        Token token = read.ddl() == null ? read : resolved(read);
        for (int place = 0; token.ddl() != null && place < token.ddl().parts().size(); place++) {
            DefinitionChange definition = definitionChange(token, place);
            if (definition != null
                    && definition.isReplaceable()
                    && !isExpected(token.shard(), token.ddl().parts().get(place))) {
                return definition.replacements();
            }
        }
        return List.of();
    }

    private Change change(DdlDecision decision) {
        return changes.values().stream()
                .filter(each -> OperatorDecisions.isMeant(decision, each.part().id()))
                .findFirst()
                .orElse(null);
    }

    private String executeForWaiting(DdlDecision decision, WaitingStatement waits) {
        Part part = waits.part();
        String member = memberText(waits.token().shard(), part);
        if (decision.verb() == DdlDecision.Verb.TEXT) {
            throw OperatorDecisions.refused("expected a statement at which a shard is held, found " + part.id()
                    + ", which waits for other members and changes no columns");
        }
        boolean writes = decision.verb() == DdlDecision.Verb.EMIT || decision.verb() == DdlDecision.Verb.DONE;
        if (writes && part.removesRows() && !decision.acceptsLoss()) {
            throw OperatorDecisions.refused(
                    "written now, the statement removes the rows of " + String.join(", ", names.texts(waits.lacks()))
                            + " on the replicas too: add --accept-loss, or `tributary ddl ignore " + part.id()
                            + " --member " + member
                            + "`");
        }
        if (decision.verb() == DdlDecision.Verb.IGNORE && !decision.member().equals(member)) {
            throw OperatorDecisions.refused(
                    "expected --member " + member + ", whose statement waits, found '" + decision.member() + "'");
        }
        decisions.add(new DdlDecision(decision.verb(), part.id(), decision.member(), decision.acceptsLoss()));
        changed();
        return switch (decision.verb()) {
            case EMIT -> "the statement is written now; rows of members that lack it are left out until theirs arrives";
            case DONE -> "the statement is written now; the members that lack it are not waited for";
            case IGNORE, SKIP, TEXT -> "the statement is not written: it has changed " + member + " only";
        };
    }

    private String executeForChange(DdlDecision decision, Change change) {
        switch (decision.verb()) {
            case DONE, EMIT -> {
                boolean isToBeWritten = change.isToBeWritten();
                if (!isToBeWritten && decision.verb() == DdlDecision.Verb.EMIT) {
                    throw OperatorDecisions.refused("expected a statement that is still to be written, found "
                            + change.part().id()
                            + ", which has been: `tributary ddl done "
                            + change.part().id()
                            + "` ends the wait for its other members");
                }
                if (isToBeWritten && change.part().removesRows() && !decision.acceptsLoss()) {
                    throw OperatorDecisions.refused("written now, the statement removes the rows of "
                            + names.texts(lacking(change)) + " on the replicas too: add --accept-loss");
                }
                requireLoss(decision, change);
                apply(decision);
                return isToBeWritten
                        ? "the statement is written now"
                        : "the members that lack the statement are not waited for any more";
            }
            case IGNORE -> {
                TableMember member = concat(change.lacking(), change.having()).stream()
                        .filter(each -> names.text(each).equals(decision.member()))
                        .findFirst()
                        .orElseThrow(() -> OperatorDecisions.refused("expected --member with one of "
                                + names.texts(concat(change.lacking(), change.having())) + ", found '"
                                + decision.member()
                                + "'"));
                requireLoss(decision, change);
                ignore(change, member);
                return decision.member() + " is not counted for the statement any more";
            }
            default ->
                throw OperatorDecisions.refused("expected a statement or transaction at which a shard is held, found "
                        + change.part().id() + ", which holds none: nothing can be left out");
        }
    }

    private void requireLoss(DdlDecision decision, Change change) {
        if (!change.isToBeWritten() && change.part().removesRows() && !decision.acceptsLoss()) {
            throw OperatorDecisions.refused("rows of " + String.join(", ", names.texts(change.lacking()))
                    + " are left out until their own statement arrives; with done they are written again, and the"
                    + " earlier ones are missing on the replicas: add --accept-loss");
        }
    }

    private void ignore(Change change, TableMember member) {
        change.remove(member);
        update(change);
        changed();
    }

    /** Executes a decision on a statement that is not complete; a decision on one that waits is kept for it. */
    private void apply(DdlDecision decision) {
        Change change = change(decision);
        if (change == null) {
            return;
        }
        boolean ends = decision.verb() == DdlDecision.Verb.DONE
                || decision.verb() == DdlDecision.Verb.EMIT
                || decision.verb() == DdlDecision.Verb.TEXT;
        if (ends && change.isToBeWritten()) {
            if (!due.contains(change)) {
                due.add(change);
                decisions.remove(decision);
                decisions.add(decision); // a restart executes it again as long as the statement is not written
            }
        } else if (decision.verb() == DdlDecision.Verb.DONE) {
            decisions.remove(decision);
            change.expectNoMore();
            update(change);
        } else if (decision.verb() == DdlDecision.Verb.IGNORE) {
            concat(change.lacking(), change.having()).stream()
                    .filter(each -> names.text(each).equals(decision.member()))
                    .findFirst()
                    .ifPresent(member -> {
                        decisions.remove(decision);
                        ignore(change, member);
                    });
        }
        changed();
    }

    /** Whether a waiting statement is left out of the binlog permanently, so that the cut must contain that. */
    public boolean isSkipped(Token token) {
        return token.ddl().parts().stream().anyMatch(part -> decisions.skips(part.id()));
    }

    // ---- for other classes

    /** The incomplete statements for the cut, whose list contains the shards at these indexes. */
    public List<PendingDdl> pending(int[] places) {
        if (changes.isEmpty()) {
            return List.of();
        }
        List<PendingDdl> pending = new ArrayList<>();
        for (Change change : changes.values()) {
            Set<TableMember> all = new LinkedHashSet<>(concat(change.lacking(), change.having()));
            List<MemberCount> counts = all.stream()
                    .map(each -> new MemberCount(
                            places[each.shard()], each.physical(), change.lacks(each), change.counted(each)))
                    .toList();
            pending.add(new PendingDdl(
                    change.part(),
                    change.text(),
                    change.sinceMicros(),
                    new SchemaState.LoggedStatement(change.event(), change.server()),
                    counts));
        }
        return pending;
    }

    /** Tables that were created recently, for the cut. */
    List<CreatedTable> created() {
        return created.all();
    }

    /** Decisions that are not executed yet. */
    List<DdlDecision> decisions() {
        return decisions.all();
    }

    ShardNames names() {
        return names;
    }

    Collection<Change> incomplete() {
        return changes.values();
    }

    Collection<WaitingStatement> waiting() {
        return waiting.values();
    }

    /** The members that are known to exist and have not executed a statement that is written at the last member. */
    List<TableMember> lacking(Change change) {
        return change.isToBeWritten()
                ? others(Integer.MIN_VALUE, change.part()).stream()
                        .filter(other -> !change.has(other))
                        .toList()
                : change.lacking();
    }
}
