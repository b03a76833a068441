package io.tributary.sink.encode;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkFigures;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.message.RowPlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Makes the messages of slots. For one worker. */
public final class SlotEncoder {
    /** For errors of the broker it is remembered of which rows messages of this size are. */
    private static final int NOTED_BYTES = 16 << 10;

    /** Each change of a table makes a new version of it. */
    private static final int MOST_ROUTES = 10_000;

    private final EncodePlan plan;
    private final SinkFigures figures;
    private final Clock clock;
    private final RowChange row = new RowChange();
    private final RowPlace place = new RowPlace();
    private final Map<ChangeTable, TableRoute> routes = new HashMap<>();

    public SlotEncoder(EncodePlan plan, SinkFigures figures, Clock clock) {
        this.plan = plan;
        this.figures = figures;
        this.clock = clock;
    }

    /**
     * Makes the messages of all entries; an error is left in the slot for the sender.
     *
     * @param turn waits until all slots before this one are encoded; false if that will not be, or if one of them has an error
     */
    void encode(SinkSlot slot, BooleanSupplier turn) {
        long now = TimeUnit.MICROSECONDS.toMillis(clock.epochMicros());
        for (int entry = 0; entry < slot.entries(); entry++) {
            TableRoute route = null;
            if (slot.kind(entry) == SinkSlot.Kind.ROWS) {
                try {
                    route = route(slot.table(entry), turn);
                    rows(slot, entry, route, now);
                } catch (RuntimeException e) {
                    slot.failed(entry, e);
                    return;
                }
            }
            slot.encoded(entry, route);
        }
    }

    private TableRoute route(ChangeTable table, BooleanSupplier turn) {
        TableRoute known = routes.get(table);
        if (known != null) {
            return known;
        }
        if (routes.size() >= MOST_ROUTES) {
            routes.clear();
        }
        if (plan.messages().format().isPreparedInOrder() && !turn.getAsBoolean()) {
            throw new CancellationException("what is before it in the stream was not encoded");
        }
        String topic = plan.topics().of(table.name());
        SinkPlan.Messages messages = plan.messages();
        TableRoute route = new TableRoute(
                table,
                topic,
                messages.format().table(table, topic),
                messages.rules().of(table.name()),
                messages.selection().masks().of(table));
        routes.put(table, route);
        return route;
    }

    private void rows(SinkSlot slot, int entry, TableRoute route, long now) {
        ByteBuffer event = slot.view();
        int at = slot.at(entry);
        int end = slot.end(entry);
        if (route.masks().isPresent()) {
            event = route.masks().get().of(event, at, end);
            at = 0;
            end = event.limit();
        }
        row.begin(slot.table(entry), event, at, end);
        boolean isSnapshot = slot.isSnapshot();
        while (row.next()) {
            place.set(slot.transaction(entry), slot.number(entry) + row.row(), now);
            if (isSnapshot) {
                place.ofSnapshot();
            }
            if (route.isSplit(row, slot.output())) {
                row.asDelete();
                message(slot, route, SinkSlot.DELETE_OF_SPLIT);
                row.asInsert();
                message(slot, route, SinkSlot.INSERT_OF_SPLIT);
            } else {
                message(slot, route, 0);
            }
        }
    }

    private void message(SinkSlot slot, TableRoute route, int split) {
        ByteBuf out = slot.output();
        int from = out.writerIndex();
        boolean hasKey = route.format().key(out, row, place);
        int keyEnd = out.writerIndex();
        boolean hasValue = route.format().value(out, row, place);
        if (out.writerIndex() - from > plan.messageBytes()) {
            keyEnd = shorten(out, route, from, keyEnd);
        }
        slot.message(keyEnd, hasKey, hasValue, row.row(), split);
        slot.hashed(route.hash(row, place.transaction()));
        if (out.writerIndex() - from > NOTED_BYTES) {
            slot.note(route.describe(row));
        }
    }

    /** Returns the end of the key of the shorter message. */
    private int shorten(ByteBuf out, TableRoute route, int from, int keyEnd) {
        int size = out.writerIndex() - from;
        LargeMessages large = plan.large();
        if (large.kind() == LargeMessages.Kind.ERROR) {
            throw tooLarge(route, size, "");
        }
        String location = "";
        if (large.kind() == LargeMessages.Kind.CLAIM_CHECK) {
            String name = place.transaction().gtid().toString().replace(':', '-') + "-" + place.row() + "-"
                    + row.operation() + ".json";
            location = large.store().put(name, claim(out, from, keyEnd));
        }
        out.writerIndex(from);
        boolean unused = route.format().handleKey(out, row, place, location);
        int end = out.writerIndex();
        if (!route.format().handleValue(out, row, place, location)) {
            throw tooLarge(route, size, "; the protocol has no messages with the key only");
        }
        int shortened = out.writerIndex() - from;
        if (shortened > plan.messageBytes()) {
            throw tooLarge(route, shortened, " with the columns of the key only");
        }
        figures.sentLarge();
        return end;
    }

    private static byte[] claim(ByteBuf out, int from, int keyEnd) {
        byte[] key = ByteBufUtil.getBytes(out, from, keyEnd - from);
        byte[] value = ByteBufUtil.getBytes(out, keyEnd, out.writerIndex() - keyEnd);
        Base64.Encoder base64 = Base64.getEncoder();
        String json = "{\"key\":" + (key.length == 0 ? "null" : '"' + base64.encodeToString(key) + '"')
                + ",\"value\":\"" + base64.encodeToString(value) + "\"}";
        return json.getBytes(StandardCharsets.US_ASCII);
    }

    private TributaryException tooLarge(TableRoute route, int size, String more) {
        return new TributaryException(
                ErrorCode.SINK_MESSAGE_TOO_LARGE,
                "table " + route.table() + ", row " + place.row() + " of transaction "
                        + place.transaction().gtid() + ", key " + route.describe(row)
                        + ": expected a message of at most "
                        + plan.messageBytes() + " bytes (sink.message.bytes), found " + size + more);
    }
}
