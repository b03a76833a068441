package io.tributary.collector.order;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.store.HeldTokens;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard's tokens in the order in which they came, each with the branch that it speaks of. When waiting tokens fill their part of the heap
 * those in the middle of a long queue go to the store, block by block, and come back when their turn is near.
 */
final class TokenQueue {
    /** Tokens of a block; as many stay in front. */
    static final int BLOCK = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(TokenQueue.class);

    private final HeldTokens held;
    private TokenRing front = new TokenRing();
    private final ArrayDeque<PackedTokens> packed = new ArrayDeque<>(0);
    private TokenRing back = new TokenRing(); // behind all that is packed
    private int inBlocks;
    private int keptOfBlocks;

    /** @param held the way to the store */
    TokenQueue(HeldTokens held) {
        this.held = held;
    }

    boolean isEmpty() {
        return front.isEmpty();
    }

    int size() {
        return front.size() + inBlocks + back.size();
    }

    /** Tokens that are on the heap, as good as. */
    int onHeap() {
        return front.size() + keptOfBlocks + back.size();
    }

    void add(Token token, Branch branch) {
        if (front.size() < BLOCK && back.isEmpty() && packed.isEmpty()) {
            front.add(token, branch);
            return;
        }
        back.add(token, branch);
        if (back.size() >= BLOCK && held.shouldPutAway()) {
            PackedTokens block = new PackedTokens(back, BLOCK, held);
            packed.add(block);
            inBlocks += BLOCK;
            keptOfBlocks += block.kept();
        }
    }

    /** The first one. */
    Token token() {
        return front.token();
    }

    /** Of the first one; or null. */
    Branch branch() {
        return front.branch();
    }

    void remove() {
        front.remove();
        if (!front.isEmpty()) {
            return;
        }
        PackedTokens block = packed.poll();
        if (block != null) {
            inBlocks -= block.count();
            keptOfBlocks -= block.kept();
            block.unpack(front::add);
        } else if (!back.isEmpty()) {
            TokenRing empty = front;
            front = back;
            back = empty;
        }
    }

    /** Empties it; what the store does not give back any more is left to it, as it fails. */
    void drain(BiConsumer<Token, Branch> target) {
        front.drain(target);
        for (PackedTokens block : packed) {
            try {
                block.unpack(target);
            } catch (TributaryException e) {
                LOG.debug("waiting transactions are left to the store: {}", e.line());
            }
        }
        packed.clear();
        inBlocks = 0;
        keptOfBlocks = 0;
        back.drain(target);
    }
}
