package io.tributary.binlog.write;

import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;

/**
 * The sequential stage of the writing. It assigns every chunk its place in a file, only from lengths and numbers of events, and creates
 * cuts and rotations. One chunk becomes one block.
 */
final class BlockLayout implements Stage {
    /** A batch and its cut. A patcher on the same thread then finds the bytes of the batch in the CPU caches. */
    private static final int CHUNKS_AT_ONCE = 2;
    /** A rotation, the chunk, and a rotation after a cut. */
    private static final int BLOCKS_OF_A_CHUNK = 3;
    /** Parts of a snapshot of the journal that are placed in one call. */
    private static final int PARTS_AT_ONCE = 4;

    private final Inlet<Chunk> inlet;
    private final BlockRing ring;
    private final FileLayout plan;
    private long expected = 1;
    private int patcher;
    private ChunkValidator.Large large;
    private long countedChunk;
    private Iterator<Journal> snapshot = Collections.emptyIterator();
    private ByteBuffer part; // part of the snapshot that waits for memory
    private boolean lacksCut; // after the snapshot

    BlockLayout(Inlet<Chunk> inlet, BlockRing ring, FileLayout plan) {
        this.inlet = inlet;
        this.ring = ring;
        this.plan = plan;
    }

    @Override
    public String name() {
        return "write-layout";
    }

    @Override
    public int doWork() {
        int done = placeSnapshot();
        if (isInSnapshot()) {
            return done;
        }
        if (plan.mustRotate() && ring.hasRoom(1)) {
            rotate();
            done++;
        }
        while (done < CHUNKS_AT_ONCE && !isInSnapshot() && ring.hasRoom(BLOCKS_OF_A_CHUNK)) {
            Chunk chunk = inlet.peek();
            if (chunk == null) {
                return done;
            }
            if (!place(chunk)) {
                done += isInSnapshot() ? 1 : 0; // a new file has been begun
                break;
            }
            inlet.poll();
            done++;
        }
        return done;
    }

    /** Places the snapshot of the journal at the beginning of a file, as far as there is room. No other chunk is placed before it is complete. */
    private int placeSnapshot() {
        int placed = 0;
        while (placed < PARTS_AT_ONCE && isInSnapshot() && ring.hasRoom(1)) {
            placed++;
            if (part == null && !snapshot.hasNext()) {
                lacksCut = false;
                publishCut(plan.cutAfterSnapshot());
                break;
            }
            part = part == null ? plan.journalEvent(snapshot.next()) : part;
            ByteBuffer out = ring.buffer(part.limit());
            if (out == null) {
                return placed - 1;
            }
            Block block = ring.claim();
            block.out = out.put(0, part, 0, part.limit());
            block.pooled = true;
            block.offset = plan.advance(part.limit());
            block.gno = plan.gno();
            ring.publish();
            part = null;
        }
        return placed;
    }

    private boolean isInSnapshot() {
        return part != null || lacksCut;
    }

    private boolean place(Chunk chunk) {
        if (chunk.number() != expected) {
            throw ChunkValidator.contradiction(chunk, "chunk " + expected, "this one");
        }
        boolean insideLarge = chunk instanceof Chunk.Data || chunk instanceof Chunk.End;
        if (insideLarge != (large != null)) {
            throw ChunkValidator.contradiction(
                    chunk,
                    large == null
                            ? "a batch, the beginning of a large transaction or a cut"
                            : "the next part of a large transaction",
                    chunk.getClass().getSimpleName());
        }
        boolean placed = true;
        if (chunk instanceof Chunk.Batch batch) {
            placed = placeBatch(batch);
        } else if (chunk instanceof Chunk.Begin begin) {
            placed = placeBegin(begin);
        } else if (chunk instanceof Chunk.Data part) {
            placed = placePart(part);
        } else if (chunk instanceof Chunk.End) {
            large.checkWhole(chunk);
            large = null;
        } else if (chunk instanceof Chunk.CutMark mark) {
            placeCut(mark);
        } else if (chunk instanceof Chunk.JournalMark mark) {
            placeChange(mark);
        }
        expected += placed ? 1 : 0;
        return placed;
    }

    private boolean placeBatch(Chunk.Batch batch) {
        long length = batch.bytes() + Checksum.LENGTH * ChunkValidator.events(batch);
        if (batch.lengths().length == 0) {
            batch.release();
            return true;
        }
        plan.learnVersion(batch.view(), batch.view().position());
        if (plan.isTooFullFor(length)) {
            rotate();
        }
        if (isInSnapshot()) {
            return false;
        }
        ByteBuffer out = ring.buffer(Math.toIntExact(length));
        if (out == null) {
            return false;
        }
        patcher = (patcher + 1) % ring.patchers();
        Block block = claim(batch, out);
        block.gno = plan.gno() + 1;
        int at = batch.view().position();
        block.commitMicros = commitMicros(batch.view(), at, at + batch.lengths()[0]);
        mark(batch, block);
        plan.count(batch.lengths().length);
        ring.publish();
        return true;
    }

    private Block claim(Chunk chunk, ByteBuffer out) {
        Block block = ring.claim();
        block.patcher = patcher;
        block.chunk = chunk;
        block.out = out;
        block.pooled = true;
        block.offset = plan.advance(out.limit());
        block.gnoBefore = plan.gnoBefore();
        return block;
    }

    private void mark(Chunk.Batch batch, Block block) {
        long offset = block.offset;
        int at = batch.view().position();
        for (int i = 0; i < batch.lengths().length; i++) {
            int length = batch.lengths()[i];
            if (plan.needsMark(offset)) {
                plan.mark(offset, block.gno + i, commitMicros(batch.view(), at, at + length), block.entries);
            }
            at += length;
            offset += length + (long) Checksum.LENGTH * batch.events()[i];
        }
    }

    /** Commit time of a GTID event, µs since 1970; 0 for any other event, which the patcher refuses. */
    private static long commitMicros(ByteBuffer view, int at, int end) {
        return end - at < GtidEvent.LENGTH ? 0 : GtidEvent.immediateCommitMicros(view, at, at + GtidEvent.LENGTH);
    }

    private boolean placeBegin(Chunk.Begin begin) {
        if (plan.isTooFullFor(begin.length() + Checksum.LENGTH * begin.events())) {
            rotate();
        }
        if (isInSnapshot()) {
            return false;
        }
        large = new ChunkValidator.Large(begin);
        patcher = (patcher + 1) % ring.patchers();
        plan.count(1);
        return true;
    }

    private boolean placePart(Chunk.Data part) {
        if (countedChunk != part.number()) {
            large.count(part);
            countedChunk = part.number();
        }
        if (part.bytes() == 0) {
            part.release();
            return true;
        }
        ByteBuffer out = ring.buffer(Math.toIntExact(part.bytes() + (long) Checksum.LENGTH * large.ended));
        if (out == null) {
            return false;
        }
        Block block = claim(part, out);
        block.gno = plan.gno();
        if (large.bytes == part.bytes()) { // the first
            block.begin = large.begin;
            int at = part.view().position();
            block.commitMicros = commitMicros(part.view(), at, part.view().limit());
            if (plan.needsMark(block.offset)) {
                plan.mark(block.offset, block.gno, block.commitMicros, block.entries);
            }
        }
        ring.publish();
        return true;
    }

    private void placeCut(Chunk.CutMark mark) {
        Cut cut = mark.cut();
        if (cut.transactions() != plan.gno()) {
            throw ChunkValidator.contradiction(
                    mark, "a cut after transaction " + plan.gno(), "one after " + cut.transactions());
        }
        if (cut.schemaNumber() != plan.change()) {
            throw ChunkValidator.contradiction(
                    mark, "a cut after change " + plan.change() + " of the journal", "one after " + cut.schemaNumber());
        }
        publishCut(plan.cutEvent(cut));
        if (plan.isFull() || plan.mustRotate()) {
            rotate();
        }
    }

    private void publishCut(ByteBuffer event) {
        Block block = ring.claim();
        block.out = event;
        block.offset = plan.advance(event.limit());
        block.gno = plan.gno();
        block.cut = true;
        block.cutNumber = plan.cutNumber();
        ring.publish();
    }

    private void placeChange(Chunk.JournalMark mark) {
        Journal change = mark.change();
        if (change.kind() != Journal.Kind.CHANGE || change.number() != plan.change() + 1) {
            throw ChunkValidator.contradiction(
                    mark, "change " + (plan.change() + 1) + " of the journal", change.kind() + " " + change.number());
        }
        Block block = ring.claim();
        block.out = plan.changeEvent(change);
        block.offset = plan.advance(block.out.limit());
        block.gno = plan.gno();
        block.entries.add(SparseEntry.journal(block.offset, change.number()));
        ring.publish();
    }

    private void rotate() {
        Block block = ring.claim();
        block.out = plan.rotateEvent();
        block.offset = plan.advance(block.out.limit());
        block.gno = plan.gno();
        block.next = plan.next();
        ring.publish();
        snapshot = plan.snapshot();
        lacksCut = snapshot.hasNext();
    }

    @Override
    public void close() {}
}
