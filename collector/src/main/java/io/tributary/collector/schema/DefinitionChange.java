package io.tributary.collector.schema;

import io.tributary.collector.schema.Definitions.Verdict;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.schema.write.CreateTable;
import java.util.List;
import java.util.function.BiFunction;

/** What one part of a statement, of one shard, does to definitions. It is made before the part is counted. */
final class DefinitionChange {
    private final Definitions definitions;
    private final int shard;
    private final Part part;
    private final Statement statement;
    private final List<TableName> namesInOutput;

    /**
     * @param statement null where it does not matter
     * @param namesInOutput the name that the table of a member has in the output before the statement, by member and logical name
     */
    DefinitionChange(
            Definitions definitions,
            int shard,
            Part part,
            Statement statement,
            BiFunction<Place, TableName, TableName> namesInOutput) {
        this.definitions = definitions;
        this.shard = shard;
        this.part = part;
        this.statement = statement;
        this.namesInOutput = part.targets().stream()
                .map(target -> namesInOutput.apply(place(target), target.logical()))
                .toList();
    }

    /** Whether the text of a part says what becomes of a definition. */
    static boolean needsStatement(Part part) {
        return part.kind() != DdlKind.TEXT
                && (part.has(Effect.CREATES)
                        || part.has(Effect.CHANGES)
                        || part.has(Effect.RENAMES) && part.reshapes());
    }

    /** The member that it changes first. */
    Place member() {
        return place(part.targets().get(0));
    }

    /** What it is where it is not expected; UNKNOWN where columns do not tell. */
    Verdict verdict() {
        boolean isOfColumns = statement != null
                && part.reshapes()
                && part.kind() != DdlKind.WAIT
                && part.targets().get(0).effect() == Effect.CHANGES;
        return isOfColumns ? definitions.verdict(namesInOutput.get(0), member(), statement) : Verdict.UNKNOWN;
    }

    /** Whether the table in the output has what the statement changes, as far as it is known. */
    boolean canBeWritten() {
        return statement == null || definitions.canBeWritten(namesInOutput.get(0), statement);
    }

    /** Whether it needs what another statement, which is still to be written, does to partitions. */
    boolean needsPartitionsOf(String other) {
        return statement != null && statement.needsPartitionsOf(other);
    }

    /** Whether it drops one key or constraint and does nothing else. */
    boolean isDrop() {
        return statement != null && statement.isDrop();
    }

    /** Whether another statement has the name of what it drops. */
    boolean namesDropped(String other) {
        return statement.namesDropped(other);
    }

    /** What an operator is asked where the verdict is CONFLICT. */
    Question question(Token token, String shardName) {
        TableName table = namesInOutput.get(0);
        return new Question(
                ErrorCode.DDL_CONFLICT,
                "shard " + shardName + ", " + Gtid.text(token.sid(), token.gno()) + ", " + token.file() + " before "
                        + token.end() + ": expected a statement that leads to the columns of " + table
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

    /** @param isWritten whether it goes out, at this place */
    void apply(boolean isWritten) {
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
                    rename(i, isWritten);
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
            Place member = place(part.targets().get(at));
            definitions.changed(namesInOutput.get(at), member, part, statement, isWritten);
        }
    }

    private void rename(int at, boolean isWritten) {
        TableName from = namesInOutput.get(at);
        Target to = part.targets().get(at + 1);
        if (isWritten) {
            definitions.renamedInOutput(from, to.logical());
        }
        TableName now = isWritten ? to.logical() : from;
        definitions.renamed(now, to.logical(), place(part.targets().get(at)), place(to));
    }

    private Place place(Target target) {
        return new Place(shard, target.physical());
    }
}
