package io.tributary.testkit.check;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** 64-bit hashes of bytes and numbers (FNV-1a, then a mix of all bits). */
final class Hash {
    private static final long START = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private Hash() {}

    static long of(ByteBuffer bytes, int at, int length) {
        long hash = START;
        for (int i = at; i < at + length; i++) {
            hash = (hash ^ (bytes.get(i) & 0xFF)) * PRIME;
        }
        return mix(hash + length);
    }

    static long of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return of(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    /** Combines two hashes; the order matters. */
    static long join(long first, long second) {
        return mix(first * 31 + second);
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
