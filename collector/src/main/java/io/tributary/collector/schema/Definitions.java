package io.tributary.collector.schema;

import io.tributary.collector.schema.member.ShardNames;
import io.tributary.collector.schema.member.TableMember;
import io.tributary.collector.schema.member.TableReferences;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.TableName;
import io.tributary.schema.compare.AddedColumns;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.compare.Difference;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.Alteration;
import io.tributary.schema.write.CheckNames;
import io.tributary.schema.write.ColumnPositions;
import io.tributary.schema.write.CreateTable;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definition of each logical table in the output, and of each member that has another one. A member that is not listed has the definition of the
 * table. Unknown definitions are not guessed. For one thread.
 */
public final class Definitions {
    private static final Logger LOG = LoggerFactory.getLogger(Definitions.class);

    /** Key prefix of a table in the output. */
    private static final String TABLE = "d";

    /** Key prefix of a member that has another definition. */
    private static final String MEMBER = "m";

    /** Key prefix of a table that is in the output although no member has it any more. */
    private static final String KEPT = "k";

    /** Is contained in every definition with foreign keys. */
    private static final String REFERENCES = "REFERENCES";

    private static final char END = '\0'; // is contained in no name

    private static final String SEPARATOR = String.valueOf(END);

    /** Indexes of the parts of a member's key. */
    private static final int SHARD = 3;

    private static final int PHYSICAL_SCHEMA = 4;

    private final SchemaJournal map;
    private final ShardNames names;
    private final Function<TableName, List<TableMember>> members;
    private final FilledColumns filled;
    private final TableReferences references = new TableReferences();
    private final ListedKeys listedKeys;
    private Consumer<TableName> afterChange = table -> {};

    /** @param members returns the members of a logical table */
    Definitions(SchemaJournal map, ShardNames names, Function<TableName, List<TableMember>> members) {
        this.map = map;
        this.names = names;
        this.members = members;
        this.filled = new FilledColumns(map);
        this.listedKeys = new ListedKeys(map);
        map.forEach(TABLE + END, this::noteReferences);
        map.afterChange(this::changed);
    }

    // ---- keys

    /** Sets a listener that is called with each table whose keys in the output may have changed. */
    public void afterChange(Consumer<TableName> listener) {
        afterChange = listener;
    }

    private void changed(String key, byte[] value) {
        if (key.startsWith(TABLE + END)) {
            noteReferences(key, value).forEach(afterChange);
            afterChange.accept(tableOf(key));
            references.to(tableOf(key)).forEach(afterChange); // the keys of a child depend on its parents
        } else if (ListedKeys.isKey(key)) {
            afterChange.accept(tableOf(key));
        }
    }

    /** Only definitions with foreign keys are read. */
    private Set<TableName> noteReferences(String key, byte[] value) {
        TableName table = tableOf(key);
        String text = value == null ? "" : new String(value, StandardCharsets.UTF_8);
        return references.defined(table, text.contains(REFERENCES) ? read(text, table) : Optional.empty());
    }

    private static TableName tableOf(String key) {
        String[] parts = key.split(SEPARATOR, -1);
        return new TableName(parts[1], parts[2]);
    }

    /** The name in small letters. */
    public static TableName small(TableName table) {
        return TableReferences.small(table);
    }

    /** The tables in the output that have foreign keys to a table, whose name is compared without letter case. */
    public Set<TableName> referencing(TableName table) {
        return references.to(table);
    }

    /**
     * The unique keys that members of a table have, or have had, and that its definition in the output may lack. The definitions of members with equal
     * columns are stored once, but their keys may differ, and a replica may be a copy of any member.
     */
    public Set<TableKey> listedKeys(TableName table) {
        return listedKeys.of(table);
    }

    /** Notes the keys of a member whose shard has listed its definition again. */
    void noteKeys(TableMember member, TableDefinition own, TableDefinition output) {
        byte[] value = map.get(key(output.name(), member));
        MemberDefinition known = value == null
                ? MemberDefinition.UNKNOWN
                : decode(new String(value, StandardCharsets.UTF_8), output.name());
        listedKeys.note(output.name(), new MemberDefinition(Optional.of(own), known.renamed()), output);
    }

    // ---- known definitions

    /** The definition of a table in the output; empty if it is not known. */
    public Optional<TableDefinition> inOutput(TableName table) {
        byte[] value = map.get(key(table));
        return value == null ? Optional.empty() : read(new String(value, StandardCharsets.UTF_8), table);
    }

    /** Whether the definition of a table in the output is known. */
    boolean isKnown(TableName table) {
        return map.get(key(table)) != null;
    }

    /** The definition of a member. */
    MemberDefinition of(TableName table, TableMember member) {
        byte[] value = map.get(key(table, member));
        return value == null
                ? MemberDefinition.of(inOutput(table))
                : decode(new String(value, StandardCharsets.UTF_8), table);
    }

    /** The members of a table. */
    List<TableMember> members(TableName table) {
        return members.apply(table);
    }

    /** The definition of a physical table on a shard. */
    public MemberDefinition of(TableName table, int shard, TableName physical) {
        return of(table, new TableMember(shard, physical));
    }

    /** The time of the statement that added a column and filled it with its time; empty for other columns. */
    public Optional<OffsetDateTime> filledAt(TableName table, String column) {
        return filled.time(table, column);
    }

    /** Whether a member has another definition than the output, or an unknown one, while that of the output is known. */
    boolean deviates(TableName table, TableMember member) {
        return map.get(key(table, member)) != null && map.get(key(table)) != null;
    }

    /** The differences of a member from the output; none if one of them is not known. */
    List<Difference> differences(TableName table, TableMember member) {
        Optional<TableDefinition> output = inOutput(table);
        Optional<TableDefinition> own = of(table, member).definition();
        return output.isEmpty() || own.isEmpty() ? List.of() : Conformity.differences(own.get(), output.get());
    }

    private static Optional<TableDefinition> read(String text, TableName table) {
        return text.isEmpty()
                ? Optional.empty()
                : DefinitionReader.create(text, ReadSession.standard(table.schema()), other -> Optional.empty());
    }

    // ---- listed definitions

    /** Sets the definition of a table in the output. */
    void put(TableName table, TableDefinition definition) {
        map.put(key(table), CreateTable.text(definition.named(table)).getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the definition of a member. */
    void put(TableName table, TableMember member, MemberDefinition definition) {
        Optional<TableDefinition> output = inOutput(table);
        output.ifPresent(known -> listedKeys.note(table, definition, known));
        put(table, member, definition, output);
    }

    private void put(
            TableName table, TableMember member, MemberDefinition definition, Optional<TableDefinition> output) {
        boolean isSame = definition.definition().isPresent()
                && output.isPresent()
                && definition.renamed().isEmpty()
                && Conformity.sameColumns(definition.definition().get(), output.get());
        if (isSame) {
            map.remove(key(table, member));
        } else {
            map.put(key(table, member), encode(definition, table));
        }
    }

    /**
     * Determines the definitions of tables in the output for which only those of the members are known: the definition of the members that have
     * executed every statement. If these differ, it stays unknown.
     *
     * @param lacksStatements whether a member has not executed a statement that was written
     */
    void deriveOutputs(Predicate<TableMember> lacksStatements) {
        Set<TableName> open = new LinkedHashSet<>();
        map.forEach(MEMBER + END, (key, value) -> {
            String[] parts = key.split(SEPARATOR, -1);
            TableName table = new TableName(parts[1], parts[2]);
            if (map.get(key(table)) == null) {
                open.add(table);
            }
        });
        open.forEach(table -> deriveOutput(table, lacksStatements));
    }

    private void deriveOutput(TableName table, Predicate<TableMember> lacksStatements) {
        Map<TableMember, MemberDefinition> known = new LinkedHashMap<>();
        members.apply(table).forEach(member -> known.put(member, of(table, member)));
        TableDefinition first = null;
        for (Map.Entry<TableMember, MemberDefinition> each : known.entrySet()) {
            Optional<TableDefinition> definition = each.getValue().definition();
            if (lacksStatements.test(each.getKey())) {
                continue;
            }
            if (definition.isEmpty()) {
                return;
            }
            if (first == null) {
                first = definition.get();
            } else if (!Conformity.sameColumns(first, definition.get())) {
                LOG.warn(
                        "members of a table differ: table={} member={} differences=\"{}\" action=\"run tributary"
                                + " check\"",
                        table,
                        names.text(each.getKey()),
                        Conformity.differences(first, definition.get()));
                return;
            }
        }
        if (first != null) {
            put(table, first);
            known.forEach((member, definition) -> put(table, member, definition));
        }
    }

    /** Sets the definition of the table in the output that was determined later; the members keep their definitions. */
    void learnedOutput(TableName table, TableDefinition definition) {
        Map<TableMember, MemberDefinition> known = new LinkedHashMap<>();
        members.apply(table).forEach(member -> known.put(member, of(table, member)));
        put(table, definition);
        known.forEach((member, own) -> put(table, member, own));
    }

    private void setOutput(TableName table, Optional<TableDefinition> definition) {
        if (definition.isPresent()) {
            put(table, definition.get());
        } else {
            map.remove(key(table));
        }
    }

    // ---- the effect of a statement

    /** What to do with a statement of a member whose table it changes. */
    enum Verdict {
        /** The known definitions are not sufficient to decide. */
        UNKNOWN,
        /** The table in the output has the effect already: the statement is not written. */
        HAS_EFFECT,
        /** The statement is written. */
        WRITTEN,
        /** The table in the output has neither the effect of the statement nor the items that it changes. */
        CONFLICT
    }

    /**
     * Decides by the columns before and after it whether a statement that is not expected of a member is written. Generated columns that only the
     * member has do not count: they are written when the last member has them.
     */
    Verdict verdict(TableName table, TableMember member, Statement statement) {
        Optional<TableDefinition> output = inOutput(table);
        Optional<TableDefinition> own = of(table, member).definition();
        Optional<TableDefinition> changed = own.flatMap(each -> altered(each, statement));
        if (output.isEmpty() || changed.isEmpty()) {
            return Verdict.UNKNOWN;
        }
        TableDefinition before = withoutExtraGenerated(own.get(), output.get());
        TableDefinition after = withoutExtraGenerated(changed.get(), output.get());
        if (Conformity.sameColumns(before, after)) {
            return Verdict.UNKNOWN;
        }
        if (conforms(after, output.get()) && !conforms(before, output.get())) {
            return Verdict.HAS_EFFECT;
        }
        boolean canBeWritten =
                altered(output.get(), placed(table, member, statement)).isPresent();
        if (conforms(before, output.get()) && (canBeWritten || before.equals(own.get()))) {
            return Verdict.WRITTEN;
        }
        if (hasEffect(output.get(), before, after)) {
            return Verdict.HAS_EFFECT;
        }
        return canBeWritten ? Verdict.WRITTEN : Verdict.CONFLICT;
    }

    /** The columns of a member except generated ones that the output lacks. */
    private static TableDefinition withoutExtraGenerated(TableDefinition own, TableDefinition output) {
        List<Column> columns = own.columns().stream()
                .filter(column -> column.generation().isEmpty()
                        || output.column(column.name()).isPresent())
                .toList();
        return columns.size() == own.columns().size()
                ? own
                : new TableDefinition(own.name(), columns, own.keys(), own.constraints(), own.collation());
    }

    /** Whether a statement changes only generated columns that a member has and the output lacks. */
    boolean isOfExtraGenerated(TableName table, TableMember member, Statement statement) {
        Optional<TableDefinition> output = inOutput(table);
        Optional<TableDefinition> own = of(table, member).definition();
        Optional<TableDefinition> changed = own.flatMap(each -> altered(each, statement));
        return output.isPresent()
                && changed.isPresent()
                && !Conformity.sameColumns(own.get(), changed.get())
                && Conformity.sameColumns(
                        withoutExtraGenerated(own.get(), output.get()),
                        withoutExtraGenerated(changed.get(), output.get()));
    }

    /** A statement of a member in the form that can be run on the output, which lacks generated columns that the member has. */
    Statement placed(TableName table, TableMember member, Statement statement) {
        Optional<TableDefinition> output = inOutput(table);
        Optional<TableDefinition> own = of(table, member).definition();
        boolean hasExtra = output.isPresent()
                && own.isPresent()
                && !withoutExtraGenerated(own.get(), output.get()).equals(own.get())
                && altered(output.get(), statement).isEmpty();
        Optional<TableDefinition> after = hasExtra ? after(table, member, statement) : Optional.empty();
        return after.isEmpty() ? statement : placed(table, statement, after.get());
    }

    /**
     * A statement with columns in the positions that they have on members which have executed it: on one that has the other columns of the output, or
     * on the one that has the most of them.
     */
    Statement placedAsOn(TableName table, List<TableMember> having, Statement statement) {
        Optional<TableDefinition> output = inOutput(table);
        TableDefinition best = null;
        for (TableMember member : having) {
            TableDefinition own = of(table, member).definition().orElse(null);
            if (output.isEmpty() || own == null) {
                continue;
            }
            if (Conformity.sameColumns(withoutExtraGenerated(own, output.get()), output.get())) {
                return placed(table, statement, own);
            }
            boolean isBetter = best == null || common(own, output.get()) > common(best, output.get());
            best = isBetter ? own : best;
        }
        return best == null ? statement : placed(table, statement, best);
    }

    private static long common(TableDefinition own, TableDefinition output) {
        return own.columns().stream()
                .filter(column -> output.column(column.name()).isPresent())
                .count();
    }

    private Statement placed(TableName table, Statement statement, TableDefinition wanted) {
        Optional<TableDefinition> output = inOutput(table);
        return output.isEmpty()
                ? statement
                : statement.with(ColumnPositions.text(statement.text(), statement.session(), output.get(), wanted));
    }

    /** Whether the table in the output has the items that a statement changes; true if it is not known. */
    boolean canBeWritten(TableName table, Statement statement) {
        Optional<TableDefinition> output = inOutput(table);
        return output.isEmpty() || altered(output.get(), statement).isPresent();
    }

    /** The same if the first of two statements were written before the second. */
    boolean canBeWrittenAfter(TableName table, Statement first, Statement second) {
        Optional<TableDefinition> output = inOutput(table);
        return output.isEmpty()
                || output.flatMap(before -> altered(before, first))
                        .flatMap(before -> altered(before, second))
                        .isPresent();
    }

    private static final Set<Difference.Kind> NOT_OF_COLUMNS = Set.of(
            Difference.Kind.COLUMN_ORDER,
            Difference.Kind.PRIMARY_KEY,
            Difference.Kind.UNIQUE_KEY,
            Difference.Kind.FOREIGN_KEY,
            Difference.Kind.CHECK);

    private static boolean conforms(TableDefinition own, TableDefinition output) {
        return Conformity.differences(own, output).stream().allMatch(each -> NOT_OF_COLUMNS.contains(each.kind()));
    }

    /** Whether a table has each column that a statement adds or changes in its new form, and none that the statement drops. */
    private static boolean hasEffect(TableDefinition output, TableDefinition before, TableDefinition after) {
        for (Column column : after.columns()) {
            boolean isChanged = !before.column(column.name()).equals(Optional.of(column));
            if (isChanged && !output.column(column.name()).equals(Optional.of(column))) {
                return false;
            }
        }
        return before.columns().stream()
                .allMatch(column -> after.column(column.name()).isPresent()
                        || output.column(column.name()).isEmpty());
    }

    /** The definition of a member after a statement; empty if it is not known. */
    Optional<TableDefinition> after(TableName table, TableMember member, Statement statement) {
        return of(table, member).definition().flatMap(each -> altered(each, statement));
    }

    private static Optional<TableDefinition> altered(TableDefinition before, Statement statement) {
        return DefinitionReader.alter(before, statement.text(), statement.session());
    }

    /** The columns of a member are known. Its keys are assumed to be those of the output, although the member may get them earlier or later. */
    private static Optional<TableDefinition> alteredColumns(TableDefinition before, Statement statement) {
        return DefinitionReader.alterColumns(before, statement.text(), statement.session());
    }

    /**
     * A member has executed a statement that changes its table.
     *
     * @param table the logical table, by its name in the output
     * @param isWritten whether the statement is written to the output, at this position
     */
    void changed(TableName table, TableMember member, Part part, Statement statement, boolean isWritten) {
        Map<String, String> renames =
                ColumnRenames.of(statement.text(), statement.session().mode());
        MemberDefinition own = of(table, member);
        Optional<TableDefinition> altered = changed(own.definition(), part, statement);
        MemberDefinition after = own.changed(
                altered.isPresent() ? altered : own.definition().flatMap(each -> alteredColumns(each, statement)),
                renames);
        if (isWritten) {
            written(table, part, statement);
            after = after.outputRenamed(renames);
        }
        put(table, member, after);
    }

    /**
     * The definition after a statement. If the statement cannot be read, or contradicts the definition, it is not known any more, unless the statement
     * changes no columns and all keys that it may add are known.
     */
    private static Optional<TableDefinition> changed(Optional<TableDefinition> before, Part part, Statement statement) {
        Optional<TableDefinition> after = before.flatMap(each -> altered(each, statement));
        if (after.isPresent() || part.reshapes()) {
            return after;
        }
        return statement.mayAddKeys()
                ? before.flatMap(each -> alteredColumns(each, statement)
                        .filter(made -> hasAddedKeys(made, withoutKeys(each), statement)))
                : before;
    }

    private static TableDefinition withoutKeys(TableDefinition table) {
        return new TableDefinition(table.name(), table.columns(), List.of(), TableConstraints.NONE, table.collation());
    }

    /** Whether a definition has the keys that a statement adds to a table without keys, under whatever names. */
    private static boolean hasAddedKeys(TableDefinition made, TableDefinition bare, Statement statement) {
        TableDefinition added = alteredColumns(bare, statement).orElse(null);
        return added != null
                && added.keys().stream()
                        .filter(TableKey::isUnique)
                        .allMatch(key -> made.keys().stream()
                                .anyMatch(
                                        each -> each.isUnique() && each.parts().equals(key.parts())))
                && added.foreignKeys().stream()
                        .allMatch(key -> made.foreignKeys().stream()
                                .anyMatch(each -> each.named(key.name()).equals(key)));
    }

    /** A statement that changes a table is written: members that have other columns from now on are listed. */
    void written(TableName table, Part part, Statement statement) {
        Map<String, String> renames =
                ColumnRenames.of(statement.text(), statement.session().mode());
        Optional<TableDefinition> before = inOutput(table);
        Map<TableMember, MemberDefinition> known = new HashMap<>();
        for (TableMember member : members.apply(table)) {
            known.put(member, of(table, member).outputRenamed(renames));
        }
        Optional<TableDefinition> after = changed(before, part, statement);
        if (before.isPresent() && after.isPresent()) {
            filled.written(table, before.get(), after.get(), renames, statement.time());
        }
        listedKeys.written(table, before, after, renames);
        setOutput(table, after);
        Optional<TableDefinition> output = inOutput(table);
        known.forEach((member, definition) -> put(table, member, definition, output)); // their keys were noted before
        if (!renames.isEmpty()) {
            changeReferences(
                    table,
                    key -> key.withReferencedColumns(
                            column -> renames.getOrDefault(column.toLowerCase(Locale.ROOT), column)));
        }
    }

    /**
     * The columns that a statement adds and that each shard fills with its own values; empty if the definition of the table in the output is not
     * known.
     */
    Optional<List<Column>> approximate(TableName table, Statement statement) {
        Map<String, String> renames =
                ColumnRenames.of(statement.text(), statement.session().mode());
        Optional<TableDefinition> before = inOutput(table);
        return before.flatMap(each -> altered(each, statement))
                .map(after -> AddedColumns.of(before.get(), after, renames).stream()
                        .filter(AddedColumns::isApproximate)
                        .toList());
    }

    /** The last member of a table has been dropped, and the table stays in the output. */
    void keep(TableName table) {
        map.put(keptKey(table), new byte[0]);
    }

    /** Whether a table is in the output although no member has it any more. */
    boolean isKept(TableName table) {
        return map.get(keptKey(table)) != null;
    }

    private static String keptKey(TableName table) {
        return KEPT + END + table.schema() + END + table.table() + END;
    }

    /** A member has been created. */
    void created(TableName table, TableMember member, Statement statement, boolean isWritten) {
        map.remove(keptKey(table));
        Set<TableKey> keysOfOther = new LinkedHashSet<>();
        Optional<TableDefinition> made = DefinitionReader.create(statement.text(), statement.session(), other -> {
            keysOfOther.addAll(listedKeys.of(other)); // CREATE TABLE ... LIKE
            return like(other, member);
        });
        if (isWritten) {
            forget(table);
            setOutput(table, made);
        }
        listedKeys.add(table, keysOfOther);
        put(table, member, MemberDefinition.of(made));
    }

    /**
     * A statement was written after the creation of a table in the output and before that of a member: columns of the member may have other names in
     * the output.
     *
     * @param text of the statement; the standard SQL modes are assumed
     */
    void renamedSince(TableName table, TableMember member, String text) {
        Map<String, String> renames =
                ColumnRenames.of(text, ReadSession.standard(table.schema()).mode());
        if (!renames.isEmpty()) {
            put(table, member, of(table, member).outputRenamed(renames));
        }
    }

    /**
     * The statement to write for CREATE TABLE ... LIKE if the member's definition of the other table differs from that of the output: a full CREATE
     * TABLE. "" if the statement may be written unchanged.
     *
     * @param unwritten statements on a table that the member has executed and that are not written yet
     */
    String createdUnlike(
            TableName table, TableMember member, Statement statement, Function<TableName, List<Statement>> unwritten) {
        List<TableName> sources = new ArrayList<>();
        Optional<TableDefinition> made = DefinitionReader.create(statement.text(), statement.session(), other -> {
            Optional<TableDefinition> own = like(other, member).map(each -> altered(each, unwritten.apply(other)));
            boolean isSame = own.isEmpty()
                    || inOutput(other)
                            .filter(output ->
                                    !Conformity.differences(own.get(), output).isEmpty())
                            .isEmpty();
            if (!isSame) {
                sources.add(other);
            }
            return own;
        });
        return made.isEmpty() || sources.isEmpty()
                ? ""
                : CreateTable.text(made.get().named(table));
    }

    /** The changes of the table in the output by statements that are not written, as one statement; "" if it would stay the same, or is not known. */
    String difference(TableName table, List<Statement> statements) {
        Optional<TableDefinition> output = inOutput(table).map(each -> each.named(table));
        List<String> texts = output.map(before -> Alteration.between(before, altered(before, statements)))
                .orElse(List.of());
        return texts.size() == 1 ? texts.get(0) : "";
    }

    /**
     * A statement with the names that a member has given to its checks, so that another statement can refer to them.
     *
     * @param unwritten statements on the table that the member has executed before and that are not written yet
     */
    Statement named(TableName table, TableMember member, Statement statement, List<Statement> unwritten) {
        Optional<TableDefinition> before =
                of(table, member).definition().map(each -> altered(each.named(table), unwritten));
        Optional<TableDefinition> after = before.flatMap(each -> altered(each, statement));
        if (after.isEmpty()) {
            return statement;
        }
        List<String> known = before.get().checks().stream().map(Check::name).toList();
        List<String> made = after.get().checks().stream()
                .map(Check::name)
                .filter(each -> !known.contains(each))
                .toList();
        return statement.with(
                CheckNames.with(statement.text(), statement.session().mode(), made));
    }

    /**
     * Applies the statements one after the other; those that the table reflects already are skipped, for example ones that add a generated column.
     */
    private static TableDefinition altered(TableDefinition before, List<Statement> statements) {
        TableDefinition after = before;
        for (Statement each : statements) {
            after = altered(after, each).orElse(after);
        }
        return after;
    }

    private Optional<TableDefinition> like(TableName other, TableMember member) {
        return members.apply(other).stream()
                .filter(each -> each.shard() == member.shard())
                .findFirst()
                .flatMap(each -> of(other, each).definition());
    }

    /** A member has been renamed. */
    void renamed(TableName from, TableName to, TableMember member, TableMember newMember) {
        byte[] value = map.get(key(from, member));
        map.remove(key(from, member));
        if (value != null) {
            MemberDefinition own = decode(new String(value, StandardCharsets.UTF_8), from);
            map.put(key(to, newMember), encode(own, to));
        } else {
            map.remove(key(to, newMember)); // a later list contained it under this name, with another definition
        }
    }

    /** A table has been renamed in the output, with its members; the foreign keys that reference it follow, as on a server. */
    void renamedInOutput(TableName from, TableName to) {
        UnaryOperator<ForeignKey> moved = key -> key.referencing(to);
        changeReferences(from, moved);
        Optional<TableDefinition> output = inOutput(from).map(own -> own.withForeignKeys(ofParent(from, moved)));
        map.remove(key(from));
        output.ifPresent(definition -> put(to, definition));
        listedKeys.renamed(from, to);
        filled.renamed(from, to);
        List<String> keys = new ArrayList<>();
        map.forEach(memberPrefix(from), (key, value) -> keys.add(key));
        for (String key : keys) {
            MemberDefinition own = decode(new String(map.get(key), StandardCharsets.UTF_8), from)
                    .withForeignKeys(ofParent(from, moved));
            map.remove(key);
            map.put(memberPrefix(to) + key.substring(memberPrefix(from).length()), encode(own, to));
        }
    }

    /** Changes the foreign keys of other tables that reference a table, in the output and of members. */
    private void changeReferences(TableName parent, UnaryOperator<ForeignKey> change) {
        UnaryOperator<ForeignKey> ofParent = ofParent(parent, change);
        for (TableName child : references.to(parent)) {
            Optional<TableDefinition> definition = child.equals(parent) ? Optional.empty() : inOutput(child);
            definition.ifPresent(each -> put(child, each.withForeignKeys(ofParent)));
        }
        Map<String, byte[]> ofMembers = new LinkedHashMap<>();
        map.forEach(MEMBER + END, (key, value) -> {
            String text = new String(value, StandardCharsets.UTF_8);
            TableName child = tableOf(key);
            if (!child.equals(parent) && text.contains(REFERENCES)) {
                ofMembers.put(key, encode(decode(text, child).withForeignKeys(ofParent), child));
            }
        });
        ofMembers.forEach(map::put);
    }

    /** The change for the foreign keys that reference a table only. Some servers compare names without letter case. */
    private UnaryOperator<ForeignKey> ofParent(TableName parent, UnaryOperator<ForeignKey> change) {
        return key -> {
            TableName referenced = key.referenced();
            boolean isOther = !referenced.equals(parent)
                    && (!small(referenced).equals(small(parent))
                            || inOutput(referenced).isPresent());
            return isOther ? key : change.apply(key);
        };
    }

    /** A member has been dropped, or a schema with all its members (empty table). */
    void removed(TableName table, TableMember member) {
        if (!member.isSchema()) {
            map.remove(key(table, member));
            return;
        }
        removeMembers(
                MEMBER + END + table.schema() + END,
                key -> isOf(key, member.shard())
                        && key.split(SEPARATOR, -1)[PHYSICAL_SCHEMA].equals(
                                member.physical().schema()));
    }

    /** A shard has left. */
    void removeShard(int shard) {
        removeMembers(MEMBER + END, key -> isOf(key, shard));
    }

    private boolean isOf(String memberKey, int shard) {
        return memberKey.split(SEPARATOR, -1)[SHARD].equals(names.of(shard));
    }

    private void removeMembers(String prefix, Predicate<String> isRemoved) {
        List<String> keys = new ArrayList<>();
        map.forEach(prefix, (key, value) -> {
            if (isRemoved.test(key)) {
                keys.add(key);
            }
        });
        keys.forEach(map::remove);
    }

    /** A table has been dropped in the output, or a schema with all its tables (empty table). */
    void forget(TableName table) {
        filled.forget(table);
        listedKeys.forget(table);
        List<String> keys = new ArrayList<>();
        if (table.table().isEmpty()) {
            map.forEach(TABLE + END + table.schema() + END, (key, value) -> keys.add(key));
            map.forEach(KEPT + END + table.schema() + END, (key, value) -> keys.add(key));
            map.forEach(MEMBER + END + table.schema() + END, (key, value) -> keys.add(key));
        } else {
            keys.add(key(table));
            keys.add(keptKey(table));
            map.forEach(memberPrefix(table), (key, value) -> keys.add(key));
        }
        keys.forEach(map::remove);
    }

    // ---- keys and values

    private static String key(TableName table) {
        return TABLE + END + table.schema() + END + table.table() + END;
    }

    private static String memberPrefix(TableName table) {
        return MEMBER + END + table.schema() + END + table.table() + END;
    }

    private String key(TableName table, TableMember member) {
        TableName physical = member.physical();
        return memberPrefix(table) + names.of(member.shard()) + END + physical.schema() + END + physical.table();
    }

    /** The encoded form: pairs of names, an empty name after them, and the text. */
    private static byte[] encode(MemberDefinition definition, TableName table) {
        StringBuilder text = new StringBuilder();
        definition
                .renamed()
                .forEach((own, inOutput) ->
                        text.append(own).append(END).append(inOutput).append(END));
        text.append(END);
        definition.definition().ifPresent(each -> text.append(CreateTable.text(each.named(table))));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static MemberDefinition decode(String value, TableName table) {
        Map<String, String> renamed = new HashMap<>();
        int at = 0;
        while (value.charAt(at) != END) {
            int own = value.indexOf(END, at);
            int inOutput = value.indexOf(END, own + 1);
            renamed.put(value.substring(at, own), value.substring(own + 1, inOutput));
            at = inOutput + 1;
        }
        return new MemberDefinition(read(value.substring(at + 1), table), renamed);
    }
}
