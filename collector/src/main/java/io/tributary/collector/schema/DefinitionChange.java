package io.tributary.collector.schema;

import io.tributary.collector.schema.Definitions.Verdict;
import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.schema.compare.AddedColumns;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.compare.Difference;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlTokens;
import io.tributary.schema.write.Alteration;
import io.tributary.schema.write.CheckNames;
import io.tributary.schema.write.CreateTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The changes of definitions by one part of a statement of one shard. It is created before the part is counted. */
final class DefinitionChange {
    private final Definitions definitions;
    private final int shard;
    private final Part part;
    private final Statement statement;
    private final List<TableName> namesInOutput;

    /**
     * @param statement null if it is not needed
     * @param namesInOutput the name that a member's table has in the output before the statement, by member and logical name
     */
    DefinitionChange(
            Definitions definitions,
            int shard,
            Part part,
            Statement statement,
            BiFunction<TableMember, TableName, TableName> namesInOutput) {
        this.definitions = definitions;
        this.shard = shard;
        this.part = part;
        this.statement = statement;
        this.namesInOutput = part.targets().stream()
                .map(target -> namesInOutput.apply(place(target), target.logical()))
                .toList();
    }

    /** Whether the text of a part is needed to determine the new definition. */
    static boolean needsStatement(Part part) {
        return part.kind() != DdlKind.TEXT
                && (part.has(Effect.CREATES)
                        || part.has(Effect.CHANGES)
                        || part.has(Effect.RENAMES) && part.kind() != DdlKind.WAIT);
    }

    /** The first member that it changes. */
    TableMember member() {
        return place(part.targets().get(0));
    }

    /** The members of its first table. */
    List<TableMember> members() {
        return definitions.members(namesInOutput.get(0));
    }

    /** The verdict on a statement that is not expected; UNKNOWN if the columns are not sufficient to decide. */
    Verdict verdict() {
        boolean isOfColumns = statement != null
                && part.reshapes()
                && part.kind() != DdlKind.WAIT
                && part.targets().get(0).effect() == Effect.CHANGES;
        return isOfColumns ? definitions.verdict(namesInOutput.get(0), member(), statement) : Verdict.UNKNOWN;
    }

    /** Whether the table in the output has the items that the statement changes, as far as it is known. */
    boolean canBeWritten() {
        return statement == null || definitions.canBeWritten(namesInOutput.get(0), statement);
    }

    /** The same if another statement were written before it. */
    boolean canBeWrittenAfter(Statement other) {
        return statement == null || definitions.canBeWrittenAfter(namesInOutput.get(0), other, statement);
    }

    /** Whether it adds checks that servers name. */
    boolean lacksNames() {
        return statement != null
                && CheckNames.areMissing(statement.text(), statement.session().mode());
    }

    /** The statement with the names that its member has given, see {@link Definitions#named}. */
    Statement named(List<Statement> unwritten) {
        return definitions.named(namesInOutput.get(0), member(), statement, unwritten);
    }

    /** Whether it changes only generated columns that its member has and the output lacks. */
    boolean isOfExtraGenerated() {
        return isReplaceable() && definitions.isOfExtraGenerated(namesInOutput.get(0), member(), statement);
    }

    /** The statement with columns in the positions that they are to have in the output; null if it is written unchanged. */
    Statement placed() {
        if (!isReplaceable()) {
            return null;
        }
        Statement placed = definitions.placed(namesInOutput.get(0), member(), statement);
        return placed.equals(statement) ? null : placed;
    }

    /** Whether it needs the effect on partitions of another statement that is not written yet. */
    boolean needsPartitionsOf(String other) {
        return statement != null && statement.needsPartitionsOf(other);
    }

    /**
     * The columns that it adds and that each shard fills with its own values, as text; "" if there are none, or if the table has only one member: a
     * replica fills its rows as a replica of any server does.
     */
    String approximate() {
        boolean mayAdd = statement != null
                && part.kind() == DdlKind.FORWARD
                && part.reshapes()
                && part.targets().get(0).effect() != Effect.CREATES
                && members().size() > 1;
        if (!mayAdd) {
            return "";
        }
        return definitions
                .approximate(namesInOutput.get(0), statement)
                .map(columns -> columns.stream().map(Column::name).collect(Collectors.joining(", ")))
                .orElseGet(() -> AddedColumns.mayBeApproximate(
                                statement.text(), statement.session().mode())
                        ? "some of its columns"
                        : "");
    }

    /** The question to the operator if such columns are refused. */
    Question refusal(Token token, String shardName) {
        return new Question(
                ErrorCode.DDL_UNSUPPORTED,
                place(token, shardName)
                        + ": expected ALTER TABLE whose new columns have constant defaults, found \""
                        + token.ddl().text() + "\" on " + member().physical()
                        + " (ddl.approximate=refuse): each shard fills " + approximate()
                        + " with its own values, and the replicas with others; add the column without that default"
                        + " and fill it by UPDATE, or set ddl.approximate=warn");
    }

    private static String place(Token token, String shardName) {
        return "shard " + shardName + ", " + Gtid.text(token.sid(), token.gno()) + ", " + token.file() + " before "
                + token.end();
    }

    /** Whether its statement has been read. */
    boolean hasText() {
        return statement != null;
    }

    /** Whether it is a statement that changes columns and that another statement can replace. */
    boolean isReplaceable() {
        return statement != null
                && part.reshapes()
                && part.kind() == DdlKind.FORWARD
                && part.targets().get(0).effect() == Effect.CHANGES;
    }

    /** The table in the output that it changes. */
    TableName tableInOutput() {
        return namesInOutput.get(0);
    }

    /** The statements for the output that lead to the member's definition after its statement; none if that is not known. */
    List<String> replacements() {
        TableName table = tableInOutput();
        Optional<TableDefinition> output = definitions.inOutput(table);
        Optional<TableDefinition> after = definitions.after(table, member(), statement);
        return output.isEmpty() || after.isEmpty()
                ? List.of()
                : Alteration.between(output.get(), after.get().named(table));
    }

    /**
     * Refuses a statement that does not lead from the table in the output to the member's definition after its own statement.
     *
     * @throws io.tributary.common.error.TributaryException DECISION_REFUSED
     */
    void requireLeads(String text) {
        TableName table = tableInOutput();
        ReadSession session = statement.session();
        if (!isOf(text, session, table)) {
            throw OperatorDecisions.refused("expected ALTER TABLE " + table + " ..., found '" + text + "'");
        }
        Optional<TableDefinition> output = definitions.inOutput(table);
        Optional<TableDefinition> wanted = definitions.after(table, member(), statement);
        if (output.isEmpty() || wanted.isEmpty()) {
            throw OperatorDecisions.refused(
                    "expected a table whose definition is known in the output and on " + member().physical()
                            + " after the statement, found one that is not: nothing can be checked; leave it out"
                            + " with `tributary ddl skip`");
        }
        Optional<TableDefinition> made = DefinitionReader.alter(output.get(), text, session);
        if (made.isEmpty()) {
            throw OperatorDecisions.refused(
                    "expected a statement that can be read and run on the table in the output, found '" + text
                            + "'; the table in the output: " + CreateTable.text(output.get()));
        }
        List<Difference> before = Conformity.differences(output.get(), wanted.get());
        List<Difference> left = Conformity.differences(made.get(), wanted.get()).stream()
                .filter(each -> each.kind() != Difference.Kind.COLUMN_ORDER)
                .filter(each -> !each.kind().isOfKeys() || !before.contains(each))
                .toList();
        if (!left.isEmpty()) {
            throw OperatorDecisions.refused("expected a statement that leads to the definition of "
                    + member().physical()
                    + " after its own statement, found these differences between the output and the member after it:"
                    + " " + left
                    + "; before it: " + before);
        }
    }

    private static boolean isOf(String text, ReadSession session, TableName table) {
        SqlTokens tokens = session.scan(text);
        boolean isQualified = tokens.isSign(3, '.');
        int name = isQualified ? 4 : 2;
        return tokens.areWords(0, "ALTER", "TABLE")
                && tokens.isName(name)
                && tokens.get(name).value().equals(table.table())
                && (isQualified ? tokens.get(2).value() : session.defaultSchema()).equals(table.schema());
    }

    /**
     * The statement with the name that the table has in the output, if that is a different one. "" if the name is the same, and if the output has the
     * effect already or cannot have it.
     */
    String underNameInOutput() {
        boolean isElsewhere =
                isReplaceable() && !tableInOutput().equals(part.targets().get(0).logical());
        if (!isElsewhere || verdict() != Verdict.WRITTEN) {
            return "";
        }
        SqlTokens tokens = statement.session().scan(statement.text());
        int at = 0;
        while (at < tokens.size() && !tokens.isWord(at, "TABLE")) {
            at++;
        }
        int name = tokens.afterIfExists(at + 1);
        int last = tokens.isSign(name + 1, '.') ? name + 2 : name;
        if (!tokens.isName(name) || !tokens.isName(last)) {
            return "";
        }
        return statement.text().substring(0, tokens.start(name))
                + SqlNames.name(tableInOutput())
                + statement.text().substring(tokens.end(last));
    }

    /** The part of a statement that is written in place of this one. */
    Part replacement(String text) {
        TableName table = tableInOutput();
        return new Part(
                DdlKind.FORWARD,
                SwapDifference.id(table, text),
                true,
                false,
                List.of(new Target(Effect.CHANGES, table, member().physical())));
    }

    /** The statement that changes the table in the output as another one and then this one would do; "" for nothing. */
    String rest(Statement before) {
        return statement == null ? "" : definitions.difference(tableInOutput(), List.of(before, statement));
    }

    /** Whether it only drops one key or constraint. */
    boolean isDrop() {
        return statement != null && statement.isDrop();
    }

    /** Whether another statement contains the name of the dropped item. */
    boolean namesDropped(String other) {
        return statement.namesDropped(other);
    }

    /** The question to the operator if the verdict is CONFLICT. */
    Question question(Token token, String shardName) {
        TableName table = namesInOutput.get(0);
        return new Question(
                ErrorCode.DDL_CONFLICT,
                place(token, shardName) + ": expected a statement that leads to the columns of " + table
                        + " in the output or can be run there, found \""
                        + token.ddl().text() + "\" on "
                        + member().physical() + "; the table in the output: "
                        + definitions.inOutput(table).map(CreateTable::text).orElse("not known")
                        + "; on the shard before the statement: "
                        + definitions
                                .of(table, member())
                                .definition()
                                .map(CreateTable::text)
                                .orElse("not known"));
    }

    /** @param isWritten whether it is written to the output, at this position */
    void apply(boolean isWritten) {
        Map<TableName, TableName> steps = new HashMap<>();
        for (int i = 0; i < part.targets().size(); i++) {
            Target target = part.targets().get(i);
            if (target.logical().table().isEmpty() && target.effect() != Effect.REMOVES) {
                continue;
            }
            switch (target.effect()) {
                case CREATES -> {
                    if (statement != null) {
                        definitions.created(target.logical(), place(target), statement, isWritten);
                    }
                }
                case CHANGES -> changed(i, isWritten);
                case RENAMES -> {
                    changed(i, isWritten);
                    rename(i, isWritten, steps);
                }
                case REMOVES -> {
                    if (isWritten) {
                        definitions.forget(target.logical());
                    }
                    definitions.removed(namesInOutput.get(i), place(target));
                }
                case BECOMES, EMPTIES, EMPTIES_PARTITIONS -> {}
            }
        }
    }

    private void changed(int at, boolean isWritten) {
        if (statement != null) {
            TableMember member = place(part.targets().get(at));
            definitions.changed(namesInOutput.get(at), member, part, statement, isWritten);
        }
    }

    /** One step of a RENAME. The table of a member whose statement is not written already has the last name in the output. */
    private void rename(int at, boolean isWritten, Map<TableName, TableName> steps) {
        Target target = part.targets().get(at);
        Target to = part.targets().get(at + 1);
        TableName from = steps.getOrDefault(target.physical(), namesInOutput.get(at));
        boolean isRenamed = !isWritten && !from.equals(target.logical());
        TableName now = isRenamed ? from : to.logical();
        if (isWritten) {
            definitions.renamedInOutput(from, now);
        } else {
            steps.put(to.physical(), now);
        }
        definitions.renamed(isWritten ? now : from, now, place(target), place(to));
    }

    private TableMember place(Target target) {
        return new TableMember(shard, target.physical());
    }
}
