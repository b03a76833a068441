package io.tributary.collector.order;

import io.tributary.common.value.Token;
import java.util.Arrays;
import java.util.function.BiConsumer;

/** A growing ring of tokens, each with its branch. */
final class TokenRing {
    private static final int FIRST_CAPACITY = 16;

    private Token[] tokens = new Token[FIRST_CAPACITY];
    private Branch[] branches = new Branch[FIRST_CAPACITY];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(Token token, Branch branch) {
        if (size == tokens.length) {
            grow();
        }
        int at = (head + size) & (tokens.length - 1);
        tokens[at] = token;
        branches[at] = branch;
        size++;
    }

    Token token() {
        return tokens[head];
    }

    Branch branch() {
        return branches[head];
    }

    void remove() {
        tokens[head] = null;
        branches[head] = null;
        head = (head + 1) & (tokens.length - 1);
        size--;
        if (size == 0 && tokens.length > FIRST_CAPACITY << 6) {
            tokens = new Token[FIRST_CAPACITY];
            branches = new Branch[FIRST_CAPACITY];
            head = 0;
        }
    }

    /** Empties the ring. */
    void drain(BiConsumer<Token, Branch> target) {
        while (!isEmpty()) {
            target.accept(token(), branch());
            remove();
        }
    }

    private void grow() {
        int old = tokens.length;
        Token[] moreTokens = Arrays.copyOfRange(tokens, head, head + 2 * old);
        Branch[] moreBranches = Arrays.copyOfRange(branches, head, head + 2 * old);
        System.arraycopy(tokens, 0, moreTokens, old - head, head);
        System.arraycopy(branches, 0, moreBranches, old - head, head);
        Arrays.fill(moreTokens, old, moreTokens.length, null);
        Arrays.fill(moreBranches, old, moreBranches.length, null);
        tokens = moreTokens;
        branches = moreBranches;
        head = 0;
    }
}
