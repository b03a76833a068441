package io.tributary.common.value;

import com.google.protobuf.ByteString;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.SchemaState.CreatedTable;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.common.value.SchemaState.MemberCount;
import io.tributary.common.value.SchemaState.PendingDdl;
import io.tributary.common.value.SchemaState.Written;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts schema changes in progress, and parts of DDL statements, to the form of cut.proto and back. */
public final class SchemaForm {
    private SchemaForm() {}

    /** The change from one state to a later one; from {@link SchemaState#NONE} the whole state. */
    static CutWire.SchemaState change(SchemaState previous, SchemaState next) {
        CutWire.SchemaState.Builder wire = CutWire.SchemaState.newBuilder();
        Map<String, PendingDdl> pending = byId(previous);
        for (PendingDdl each : next.pending()) {
            if (!each.equals(pending.remove(each.part().id()))) {
                wire.addPending(pending(each));
            }
        }
        wire.addAllPendingGone(pending.keySet());
        next.questions().forEach(each -> wire.addQuestions(question(each)));
        next.decisions().forEach(each -> wire.addDecisions(decision(each)));
        Map<TableName, CreatedTable> created = byTable(previous);
        for (CreatedTable each : next.created()) {
            if (!each.equals(created.remove(each.table()))) {
                wire.addCreated(created(each));
            }
        }
        created.keySet().forEach(each -> wire.addCreatedGone(table(each)));
        return wire.build();
    }

    private static Map<String, PendingDdl> byId(SchemaState state) {
        Map<String, PendingDdl> byId = new LinkedHashMap<>();
        state.pending().forEach(each -> byId.put(each.part().id(), each));
        return byId;
    }

    private static Map<TableName, CreatedTable> byTable(SchemaState state) {
        Map<TableName, CreatedTable> byTable = new LinkedHashMap<>();
        state.created().forEach(each -> byTable.put(each.table(), each));
        return byTable;
    }

    /**
     * Applies a change to the state from which it was made.
     *
     * @throws IllegalArgumentException if a value is not valid
     */
    static SchemaState apply(SchemaState previous, CutWire.SchemaState wire) {
        Map<String, PendingDdl> pending = byId(previous);
        wire.getPendingGoneList().forEach(pending::remove);
        wire.getPendingList().stream()
                .map(SchemaForm::pending)
                .forEach(each -> pending.put(each.part().id(), each));
        Map<TableName, CreatedTable> created = byTable(previous);
        wire.getCreatedGoneList().forEach(each -> created.remove(table(each)));
        for (CutWire.Created each : wire.getCreatedList()) {
            CreatedTable table = created(each);
            created.remove(table.table());
            created.put(table.table(), table);
        }
        return new SchemaState(
                List.copyOf(pending.values()),
                wire.getQuestionsList().stream().map(SchemaForm::question).toList(),
                wire.getDecisionsList().stream().map(SchemaForm::decision).toList(),
                List.copyOf(created.values()));
    }

    private static CutWire.Created created(CreatedTable created) {
        CutWire.Created.Builder wire =
                CutWire.Created.newBuilder().setTable(table(created.table())).setCreateId(created.createId());
        created.statements().forEach(each -> wire.addParts(part(each.part())).addTexts(each.text()));
        return wire.build();
    }

    private static CreatedTable created(CutWire.Created wire) {
        List<Written> statements = new ArrayList<>();
        for (int i = 0; i < Math.min(wire.getPartsCount(), wire.getTextsCount()); i++) {
            statements.add(new Written(part(wire.getParts(i)), wire.getTexts(i)));
        }
        return new CreatedTable(table(wire.getTable()), wire.getCreateId(), statements);
    }

    private static CutWire.Pending pending(PendingDdl pending) {
        CutWire.Pending.Builder wire = CutWire.Pending.newBuilder()
                .setPart(part(pending.part()))
                .setText(pending.text())
                .setSinceMicros(pending.sinceMicros())
                .setEvent(ByteString.copyFrom(pending.event().duplicate()));
        if (pending.event().hasRemaining()) {
            wire.setServer(server(pending.server()));
        }
        for (MemberCount each : pending.members()) {
            wire.addMembers(CutWire.MemberCount.newBuilder()
                    .setShard(each.shard())
                    .setPhysical(table(each.physical()))
                    .setLacks(each.lacks())
                    .setHas(each.has()));
        }
        return wire.build();
    }

    private static PendingDdl pending(CutWire.Pending wire) {
        return new PendingDdl(
                part(wire.getPart()),
                wire.getText(),
                wire.getSinceMicros(),
                new SchemaState.LoggedStatement(
                        wire.getEvent().asReadOnlyByteBuffer(),
                        wire.hasServer() ? server(wire.getServer()) : ServerVersion.STANDARD),
                wire.getMembersList().stream()
                        .map(each -> new MemberCount(
                                each.getShard(), table(each.getPhysical()), each.getLacks(), each.getHas()))
                        .toList());
    }

    /** Also used for other messages. */
    public static CutWire.Server server(ServerVersion server) {
        return CutWire.Server.newBuilder()
                .setMariadb(server.mariadb())
                .setNumber(server.number())
                .build();
    }

    /** Reads what {@link #server(ServerVersion)} wrote. */
    public static ServerVersion server(CutWire.Server wire) {
        return new ServerVersion(wire.getMariadb(), wire.getNumber());
    }

    /** Encodes a part as bytes; also used for other messages. */
    public static CutWire.Part part(Ddl.Part part) {
        CutWire.Part.Builder wire = CutWire.Part.newBuilder()
                .setKind(CutWire.Part.Kind.valueOf(part.kind().name()))
                .setId(part.id())
                .setReshapes(part.reshapes())
                .setConditional(part.conditional());
        for (Ddl.Target target : part.targets()) {
            CutWire.Target.Builder one = CutWire.Target.newBuilder()
                    .setEffect(CutWire.Target.Effect.valueOf(target.effect().name()))
                    .setLogical(table(target.logical()));
            if (!target.physical().equals(target.logical())) {
                one.setPhysical(table(target.physical()));
            }
            wire.addTargets(one);
        }
        return wire.build();
    }

    /**
     * Reads what {@link #part(Ddl.Part)} wrote.
     *
     * @throws IllegalArgumentException if a kind or effect is of a later version
     */
    public static Ddl.Part part(CutWire.Part wire) {
        return new Ddl.Part(
                DdlKind.valueOf(wire.getKind().name()),
                wire.getId(),
                wire.getReshapes(),
                wire.getConditional(),
                wire.getTargetsList().stream().map(SchemaForm::target).toList());
    }

    private static Ddl.Target target(CutWire.Target wire) {
        TableName logical = table(wire.getLogical());
        return new Ddl.Target(
                Ddl.Effect.valueOf(wire.getEffect().name()),
                logical,
                wire.hasPhysical() ? table(wire.getPhysical()) : logical);
    }

    private static CutWire.Question question(HeldQuestion held) {
        return CutWire.Question.newBuilder()
                .setId(held.id())
                .setShard(held.shard())
                .setGtid(held.gtid().toString())
                .setCode(held.question().code().name())
                .setMessage(held.question().message())
                .build();
    }

    private static HeldQuestion question(CutWire.Question wire) {
        return new HeldQuestion(
                wire.getId(),
                wire.getShard(),
                Gtid.parse(wire.getGtid()),
                new Question(ErrorCode.valueOf(wire.getCode()), wire.getMessage()));
    }

    private static CutWire.Decision decision(DdlDecision decision) {
        return CutWire.Decision.newBuilder()
                .setVerb(CutWire.Decision.Verb.valueOf(decision.verb().name()))
                .setId(decision.id())
                .setMember(decision.member())
                .setAcceptsLoss(decision.acceptsLoss())
                .setText(decision.text())
                .build();
    }

    private static DdlDecision decision(CutWire.Decision wire) {
        return new DdlDecision(
                DdlDecision.Verb.valueOf(wire.getVerb().name()),
                wire.getId(),
                wire.getMember(),
                wire.getAcceptsLoss(),
                wire.getText());
    }

    private static CutWire.Table table(TableName name) {
        return CutWire.Table.newBuilder()
                .setSchema(name.schema())
                .setTable(name.table())
                .build();
    }

    private static TableName table(CutWire.Table wire) {
        return new TableName(wire.getSchema(), wire.getTable());
    }
}
