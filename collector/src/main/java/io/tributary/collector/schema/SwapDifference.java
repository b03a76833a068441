package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.Alteration;
import io.tributary.schema.write.CreateTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A swap in which a hidden table of which no statement is known replaces a member: the change is the difference of the two definitions.
 *
 * @param swap the rename
 * @param table the member's table, by its name in the output
 * @param before the definition of the member; empty if it is not known
 * @param after the definition of the hidden table, under the name in the output; empty if it is not known
 * @param texts the statements that lead from one to the other, see {@link Alteration#between}
 */
record SwapDifference(
        HiddenChange.Rename swap,
        TableName table,
        Optional<TableDefinition> before,
        Optional<TableDefinition> after,
        List<String> texts) {

    static SwapDifference of(
            HiddenChange.Rename swap,
            TableName table,
            Optional<TableDefinition> before,
            Optional<TableDefinition> hidden) {
        Optional<TableDefinition> after = hidden.map(each -> each.named(table));
        List<String> texts = before.isEmpty() || after.isEmpty()
                ? List.of()
                : Alteration.between(before.get().named(table), after.get());
        return new SwapDifference(swap, table, before, after, texts);
    }

    /** Whether both definitions are known. */
    boolean isKnown() {
        return before.isPresent() && after.isPresent();
    }

    /** Whether the two are the same, as far as they are compared. */
    boolean isNothing() {
        return isKnown() && texts.isEmpty();
    }

    /**
     * Whether the difference is one statement that may be written for the first member; one that adds a constraint may not, because others may lack
     * it.
     */
    boolean isClear() {
        return texts.size() == 1 && !addsConstraint();
    }

    private boolean addsConstraint() {
        return Conformity.differences(before.get(), after.get()).stream()
                .anyMatch(each -> each.kind().isOfKeys() && !each.second().isEmpty());
    }

    /** One of the statements, which leads to the definition of the hidden table. */
    String text() {
        return texts.get(texts.size() - 1);
    }

    /** The token with the difference in place of its statement; only if there is one. */
    Token resolved(Token token) {
        boolean reshapes = !isClear() || !Conformity.sameColumns(before.get(), after.get());
        Target target = new Target(Effect.CHANGES, swap.logical(), swap.to());
        Part part = new Part(DdlKind.FORWARD, id(table, text()), reshapes, false, List.of(target));
        return token.with(new TokenBody.LoggedDdl(
                new Ddl(
                        "ALTER TABLE",
                        text(),
                        List.of(part),
                        token.hidden(),
                        token.ddl().server()),
                token.payload(),
                token.tables()));
    }

    /** The id of a statement that this node has made. */
    static String id(TableName table, String text) {
        return Long.toHexString(UUID.nameUUIDFromBytes((table + " " + text).getBytes(StandardCharsets.UTF_8))
                        .getMostSignificantBits()
                | 1L << 63);
    }

    /** The question to the operator if no statement, or more than one, can be written. */
    Question question(Token token, String shard) {
        String place = "shard " + shard + ", " + Gtid.text(token.sid(), token.gno()) + ", " + token.file() + " before "
                + token.end() + ": ";
        String rename = swap.from() + " replaced " + swap.to();
        if (!isKnown()) {
            return new Question(
                    ErrorCode.DDL_UNSUPPORTED,
                    place + "expected the statements that made and altered " + swap.from()
                            + ", or its definition and that of "
                            + swap.to() + ", found none of the "
                            + (after.isEmpty() ? "former" : "latter") + " when " + rename
                            + ". Run the same ALTER TABLE on the replicas, where it is missing there, then leave the"
                            + " statement out");
        }
        return new Question(
                ErrorCode.DDL_CONFLICT,
                place
                        + "expected one statement for the difference, without a constraint that other members may"
                        + " lack, found "
                        + String.join(" or ", texts) + " when " + rename + "; before: "
                        + before.map(CreateTable::text).orElse("") + "; after: "
                        + after.map(CreateTable::text).orElse(""));
    }
}
