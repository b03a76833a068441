package io.tributary.collector.order;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.store.HeldTokens;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard's tokens in the order in which they were received, each with its branch. When waiting tokens fill their part of the heap, the tokens in the
 * middle of a long queue are moved to the store, block by block, and are loaded again before they are needed.
 */
final class TokenQueue {
    /** Tokens of a block; the same number stays at the start of the queue. */
    static final int BLOCK = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(TokenQueue.class);

    private final HeldTokens held;
    private TokenRing front = new TokenRing();
    private final ArrayDeque<PackedTokens> packed = new ArrayDeque<>(0);
    private TokenRing back = new TokenRing(); // after all packed tokens
    private int inBlocks;
    private int keptOfBlocks;

    /** @param held moves tokens to the store */
    TokenQueue(HeldTokens held) {
        this.held = held;
    }

    boolean isEmpty() {
        return front.isEmpty();
    }

    int size() {
        return front.size() + inBlocks + back.size();
    }

    /** The number of tokens on the heap, approximately. */
    int onHeap() {
        return front.size() + keptOfBlocks + back.size();
    }

    void add(Token token, Branch branch) {
        if (front.size() < BLOCK && back.isEmpty() && packed.isEmpty()) {
            front.add(token, branch);
            return;
        }
        back.add(token, branch);
        if (back.size() >= BLOCK && held.shouldSpill()) {
            PackedTokens block = new PackedTokens(back, BLOCK, held);
            packed.add(block);
            inBlocks += BLOCK;
            keptOfBlocks += block.kept();
        }
    }

    /** The first token. */
    Token token() {
        return front.token();
    }

    /** The branch of the first token, or null. */
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

    /** Empties the queue; tokens that the store cannot return, because it fails, are left to it. */
    void drain(BiConsumer<Token, Branch> target) {
        front.drain(target);
        for (PackedTokens block : packed) {
            try {
                block.unpack(target);
            } catch (TributaryException e) {
                LOG.debug("waiting transactions left in the store: error=\"{}\"", e.line());
            }
        }
        packed.clear();
        inBlocks = 0;
        keptOfBlocks = 0;
        back.drain(target);
    }
}
