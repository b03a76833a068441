package io.tributary.sink.run;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTransaction;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.sink.CopyPlace;
import io.tributary.sink.Guarantee;
import io.tributary.sink.SinkFigures;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.encode.SinkSlot;
import io.tributary.sink.encode.TableRoute;
import io.tributary.sink.kafka.Outbox;
import io.tributary.sink.kafka.SinkPlace;
import io.tributary.sink.kafka.TopicCatalog;
import io.tributary.sink.kafka.TransactionMarks;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowPlace;
import io.tributary.sink.route.Dispatcher;
import io.tributary.sink.route.RowHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/** Sends the messages of slots in order, and commits the place at the ends of transactions. For one thread. */
final class SlotSender {
    private static final double TOO_LONG_PART = 0.8;
    private static final double SPLIT_PART = 0.4;

    private final SinkPlan plan;
    private final Outbox outbox;
    private final TopicCatalog catalog;
    private final SinkFigures figures;
    private final Clock clock;
    private final CommitWindow window;
    private final MessageHeaders headers;
    private final StatementRoutes statements;
    private final SentDefinitions definitions;
    private final TransactionMarks marks; // null without a topic for them
    private final Map<String, Integer> partitions = new HashMap<>(); // of the topics whose rows are divided by values
    private final RowPlace rowPlace = new RowPlace();
    private final SinkPlace start;
    private long now;
    private ChangeTransaction transaction; // that has begun and not ended
    private boolean isSnapshot; // whether its rows are those of a snapshot
    private volatile CopyPlace copied; // null if no snapshot is copied
    private volatile ChangeTransaction oldest; // that is not committed
    private boolean hasMessages; // of the transaction
    private SinkPlace place;
    private ProducerRecord<byte[], byte[]> held; // the newest message, which may be the last one of its transaction
    private String heldNote;
    private long watermarkAt;
    private ChangeTransaction watermark;

    /** What it works with. */
    record Work(Outbox outbox, TopicCatalog catalog, SinkFigures figures, Clock clock) {}

    /**
     * Begins a run.
     *
     * @param start the place of the sink, null for none
     * @param topics to which earlier runs have sent rows, and which exist, each with one of the tables
     */
    SlotSender(SinkPlan plan, Work work, SinkPlace start, Map<String, TableName> topics) {
        this.plan = plan;
        this.outbox = work.outbox();
        this.catalog = work.catalog();
        this.figures = work.figures();
        this.clock = work.clock();
        this.now = clock.nanoTime();
        this.window = new CommitWindow(plan.limits().commit(), now);
        this.headers = new MessageHeaders(plan.messages().hasHeaders());
        this.statements = new StatementRoutes(plan, topics);
        this.definitions = new SentDefinitions(plan.messages().format());
        this.marks =
                plan.target().transactionsTopic().map(TransactionMarks::new).orElse(null);
        this.start = start;
        this.place = start;
        this.watermarkAt = now;
        if (start != null) {
            partitions.putAll(start.partitions());
            copied = start.copy().orElse(null);
            oldest = copied == null ? null : start.transaction();
        }
    }

    /** How long to wait for the next slot. Inside of a transaction nothing can be committed, so there is nothing to wake up for. */
    long waitNanos() {
        boolean canCommit = transaction == null && place != null;
        return canCommit ? window.waitNanos(clock.nanoTime()) : CommitWindow.MOST_WAIT;
    }

    /** Sends all messages of a slot. */
    void send(SinkSlot slot) {
        now = clock.nanoTime();
        for (int entry = 0; entry < slot.entries(); entry++) {
            switch (slot.kind(entry)) {
                case BEGIN -> begin(slot, entry);
                case ROWS -> {
                    requireEncoded(slot, entry);
                    rows(slot, entry);
                }
                case STATEMENT -> statement(slot.statement(entry));
                case END -> end(slot.file(entry), slot.number(entry));
                case PART_END -> endPart(slot.copyPlace(entry));
            }
        }
        now = clock.nanoTime();
        commitIfDue();
    }

    /** Runs when there is no slot. */
    void idle() {
        now = clock.nanoTime();
        outbox.poll();
        commitIfDue();
    }

    private void commitIfDue() {
        if (transaction == null && place != null) {
            if (place.copy().isEmpty()) {
                watermarks();
            }
            if (window.isDue(now)) {
                commit();
            }
        }
    }

    private void commit() {
        boolean waits = window.hasStatements();
        outbox.commit(place, window.transactions(), waits);
        copied = place.copy().orElse(null);
        oldest = copied == null ? transaction : place.transaction();
        now = clock.nanoTime();
        window.clear(now);
    }

    /** The first transaction whose messages were sent and that is not committed, or the place of a snapshot; null for none. Any thread. */
    ChangeTransaction oldest() {
        return oldest;
    }

    /** How far the rows of a snapshot were sent at the last place; null if none are being sent. Any thread. */
    CopyPlace copied() {
        return copied;
    }

    /** What has ended is committed before what must not be in one Kafka transaction with it. */
    private void commitBefore() {
        if (!window.isEmpty()) {
            window.statement();
            commit();
        }
    }

    private void begin(SinkSlot slot, int entry) {
        transaction = slot.transaction(entry);
        if (oldest == null) {
            oldest = transaction;
        }
        hasMessages = false;
        isSnapshot = slot.isSnapshot();
        headers.begin(transaction, isSnapshot);
    }

    // ---- rows

    /** Throws the error of rows that could not be encoded, after what is before their transaction. */
    private void requireEncoded(SinkSlot slot, int entry) {
        if (!hasMessages && slot.hasFailure(transaction)) {
            commitBefore();
        }
        slot.check(entry);
    }

    private void rows(SinkSlot slot, int entry) {
        TableRoute route = slot.route(entry);
        int end = slot.messagesEnd(entry);
        int from = slot.messagesFrom(entry);
        while (from < end && isSent(slot.number(entry) + slot.row(from))) {
            from++;
        }
        mark(route, end - slot.messagesFrom(entry), from == slot.messagesFrom(entry));
        if (from == end) {
            return;
        }
        requireInTime(slot.number(entry) + slot.row(from));
        int count = partitions(route);
        definition(route, slot.number(entry) + slot.row(from), end - from);
        boolean isSpread = route.dispatcher().kind() == Dispatcher.Kind.NONE;
        long bytes = 0;
        int splits = 0;
        for (int message = from; message < end; message++) {
            long row = slot.number(entry) + slot.row(message);
            Integer partition = isSpread ? null : (Integer) RowHash.partition(slot.hash(message), count);
            int split = slot.split(message);
            List<Header> with = headers.of(row, split);
            String note = slot.note(message).isEmpty() ? "" : note(route, row, slot.note(message));
            send(
                    new ProducerRecord<>(route.topic(), partition, null, slot.key(message), slot.value(message), with),
                    note);
            bytes += slot.size(message);
            splits += split == SinkSlot.DELETE_OF_SPLIT ? 1 : 0;
        }
        window.sent(end - from, bytes, now);
        figures.sent(end - from - splits, end - from, bytes);
    }

    /** Sends the definition of the table to all partitions if the protocol needs it before these rows. */
    private void definition(TableRoute route, long row, int rows) {
        if (!definitions.isDue(route.definition(), rows, now)) {
            return;
        }
        rowPlace.set(transaction, row, TimeUnit.MICROSECONDS.toMillis(clock.epochMicros()));
        if (isSnapshot) {
            rowPlace.ofSnapshot();
        }
        definitions.value(route.definition(), rowPlace).ifPresent(value -> {
            int count = catalog.partitions(route.topic());
            for (int partition = 0; partition < count; partition++) {
                send(new ProducerRecord<>(route.topic(), partition, null, null, value, headers.ofStatement()), "");
            }
            window.sent(count, (long) count * value.length, now);
            figures.sent(0, count, (long) count * value.length);
        });
    }

    private String note(TableRoute route, long row, String key) {
        return "table " + route.table() + ", row " + row + " of transaction " + transaction.gtid() + ", key " + key;
    }

    /** Whether a row was committed before the run began. */
    private boolean isSent(long row) {
        return start != null
                && row < start.row()
                && transaction.gtid().gno() == start.transaction().gtid().gno() + 1;
    }

    private void mark(TableRoute route, int messages, boolean isNew) {
        if (marks != null && !isSnapshot && messages > 0 && marks.count(route.table(), messages) && isNew) {
            markTopic();
            send(marks.begin(transaction), "");
        }
    }

    private void markTopic() {
        int unused = catalog.partitions(plan.target().transactionsTopic().orElseThrow());
    }

    private int partitions(TableRoute route) {
        int count = catalog.partitions(route.topic());
        if (statements.written(route.topic(), route.table())) {
            outbox.sentTo(route.topic(), route.table());
        }
        if (route.dispatcher().isByValues()) {
            partitions.put(route.topic(), count);
        }
        return count;
    }

    /** A Kafka transaction that lasts too long would be aborted by the brokers. */
    private void requireInTime(long row) {
        long limit = plan.limits().timeouts().transaction().toNanos();
        long open = window.openNanos(now);
        boolean isTransactional = plan.delivery().guarantee() == Guarantee.EXACTLY_ONCE;
        if (!isTransactional || !hasMessages || open < SPLIT_PART * limit) {
            return;
        }
        if (plan.delivery().splitsTransactions() && previous() != null && !isSnapshot) {
            flushHeld();
            outbox.commit(new SinkPlace(previous(), row, partitions), window.transactions(), true);
            now = clock.nanoTime();
            window.clear(now);
        } else if (open > TOO_LONG_PART * limit) {
            throw new TributaryException(
                    ErrorCode.SINK_TRANSACTION_TOO_LONG,
                    "transaction " + transaction.gtid() + ": expected that it is sent within "
                            + plan.limits().timeouts().transaction().toMillis()
                            + " ms (sink.transaction.timeout), found that row " + row + " was reached after "
                            + TimeUnit.NANOSECONDS.toMillis(open) + " ms");
        }
    }

    /** The transaction before the current one; null before the first one of the stream. */
    private ChangeTransaction previous() {
        Gtid gtid = transaction.gtid();
        if (place != null || gtid.gno() == Gtid.MIN_GNO) {
            return place == null ? null : place.transaction();
        }
        return new ChangeTransaction(
                new Gtid(gtid.sid(), gtid.gno() - 1),
                transaction.committedMicros(),
                transaction.file(),
                transaction.position());
    }

    /** Sends the message before this one; this one may be the last of its transaction. */
    private void send(ProducerRecord<byte[], byte[]> message, String note) {
        hasMessages = true;
        if (headers.isOn()) {
            flushHeld();
            held = message;
            heldNote = note;
        } else {
            outbox.send(message, note);
        }
    }

    private void flushHeld() {
        if (held != null) {
            outbox.send(held, heldNote);
            held = null;
        }
    }

    // ---- statements

    private void statement(ChangeStatement statement) {
        Map<String, TableName> topics = statements.of(statement);
        if (topics.isEmpty()) {
            return;
        }
        if (!hasMessages) {
            commitBefore();
        }
        topics.forEach((topic, table) -> statement(statement, topic, table));
        window.statement();
        figures.sentStatement();
    }

    private void statement(ChangeStatement statement, String topic, TableName table) {
        MessageFormat format = plan.messages().format();
        rowPlace.set(transaction, 0, TimeUnit.MICROSECONDS.toMillis(clock.epochMicros()));
        ByteBuf out = Unpooled.buffer();
        byte[] key = format.statementKey(out, statement, table, rowPlace) ? ByteBufUtil.getBytes(out) : null;
        out.clear();
        format.statementValue(out, statement, table, rowPlace);
        byte[] value = ByteBufUtil.getBytes(out);
        int count = statements.isToAll() ? catalog.partitions(topic) : Math.min(1, catalog.partitions(topic));
        for (int partition = 0; partition < count; partition++) {
            send(new ProducerRecord<>(topic, partition, null, key, value, headers.ofStatement()), "");
        }
        window.sent(count, (long) count * value.length, now);
        figures.sent(0, count, (long) count * value.length);
    }

    // ---- ends of transactions

    /** A part is never divided; there is a place after each. */
    private void endPart(CopyPlace at) {
        flushHeld();
        place = new SinkPlace(transaction, 0, partitions, Optional.of(at));
        transaction = null;
        if (window.isDue(now)) {
            commit();
        }
    }

    private void end(String file, long position) {
        if (held != null) {
            MessageHeaders.last(held);
            flushHeld();
        }
        if (marks != null && marks.hasBegun()) {
            markTopic();
            outbox.send(marks.end(transaction), "");
        }
        ChangeTransaction ended =
                new ChangeTransaction(transaction.gtid(), transaction.committedMicros(), file, position);
        place = new SinkPlace(ended, 0, partitions);
        transaction = null;
        window.transaction();
        if (window.isDue(now)) {
            commit();
        }
    }

    private void watermarks() {
        MessageFormat format = plan.messages().format();
        long interval = plan.delivery().watermark().toNanos();
        boolean isDue = interval > 0
                && now - watermarkAt >= interval
                && !place.transaction().equals(watermark);
        if (!isDue || !format.hasWatermarks()) {
            return;
        }
        watermarkAt = now;
        watermark = place.transaction();
        rowPlace.set(watermark, 0, TimeUnit.MICROSECONDS.toMillis(clock.epochMicros()));
        ByteBuf out = Unpooled.buffer();
        byte[] key = format.watermarkKey(out, rowPlace) ? ByteBufUtil.getBytes(out) : null;
        out.clear();
        format.watermarkValue(out, rowPlace);
        byte[] value = ByteBufUtil.getBytes(out);
        long sent = 0;
        for (String topic : statements.written()) {
            for (int partition = 0; partition < catalog.partitions(topic); partition++) {
                outbox.send(new ProducerRecord<>(topic, partition, key, value), "");
                sent++;
            }
        }
        window.sent(sent, sent * value.length, now);
        figures.sent(0, sent, sent * value.length);
    }

    /** The partitions that a place has recorded; empty if they have not changed. */
    Optional<String> changedPartitions() {
        for (Map.Entry<String, Integer> before : partitions.entrySet()) {
            Optional<Integer> found = catalog.existing(before.getKey());
            if (found.isPresent() && !found.get().equals(before.getValue())) {
                return Optional.of("topic " + before.getKey() + ": expected " + before.getValue()
                        + " partitions, as before, because its rows are divided by their values; found " + found.get());
            }
        }
        return Optional.empty();
    }
}
