package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One file's encryption: AES-256-GCM by frames of 64 KiB, each with its own tag of 16 bytes behind it, so that any range can be read
 * alone. The frame's number is its nonce, and the file's key is derived from the backup's key, the cluster, and the file's name,
 * size and SHA-256: a frame in another place or file, or a file that is cut off, does not open; and the same file sealed again gives
 * the same bytes, so that an upload may go on where it was cut off, while no key ever seals two contents. One thread.
 */
final class Seal {
    static final int FRAME = 64 << 10;
    private static final int TAG = 16;
    private static final int NONCE = 12;

    private final String name;
    private final SecretKeySpec key;
    private final Cipher cipher;

    Seal(BackupKey from, String cluster, Manifest.Entry file) {
        this.name = file.name();
        String purpose =
                String.join("\n", "tributary backup file 1", cluster, name, Long.toString(file.size()), file.sha256());
        this.key = new SecretKeySpec(from.derive(purpose), "AES");
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES-GCM", e);
        }
    }

    /** Bytes of a sealed file of this size, or of its beginning of whole frames. */
    static long sealedSize(long size) {
        return size + (size + FRAME - 1) / FRAME * TAG;
    }

    /**
     * Seals a file's bytes from an offset on.
     *
     * @param plain whole frames, but for the file's last; read to its limit
     * @param at where they stand in the file: at the beginning of a frame
     */
    ByteBuffer seal(ByteBuffer plain, long at) {
        return frames(Cipher.ENCRYPT_MODE, plain, at / FRAME, FRAME, (int) sealedSize(plain.remaining()));
    }

    /**
     * Opens what was sealed.
     *
     * @param sealed whole frames, but for the file's last; read to its limit
     * @param at where they stand in the file: at the beginning of a frame
     * @throws TributaryException BACKUP_CORRUPT when these are not the bytes that were sealed for this place
     */
    ByteBuffer open(ByteBuffer sealed, long at) {
        return frames(Cipher.DECRYPT_MODE, sealed, at / FRAME, FRAME + TAG, sealed.remaining());
    }

    private ByteBuffer frames(int mode, ByteBuffer from, long firstFrame, int step, int room) {
        ByteBuffer to = ByteBuffer.allocate(room);
        int end = from.limit();
        long frame = firstFrame;
        try {
            while (from.position() < end) {
                from.limit(Math.min(end, from.position() + step));
                ByteBuffer nonce = ByteBuffer.allocate(NONCE).putLong(NONCE - Long.BYTES, frame);
                cipher.init(mode, key, new GCMParameterSpec(TAG * Byte.SIZE, nonce.array()));
                cipher.doFinal(from, to);
                frame++;
            }
        } catch (AEADBadTagException e) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CORRUPT,
                    name + ": expected what was encrypted for offset " + frame * FRAME + ", found other bytes",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a frame that AES-GCM does not take", e);
        }
        return to.flip();
    }
}
