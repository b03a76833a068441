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
 * The encryption of one file: AES-256-GCM by frames of 64 KiB. Each frame is followed by its own tag of 16 bytes, so that any range can be read
 * separately. The frame's number is its nonce, and the file's key is derived from the backup's key, the cluster, and the file's name, size and
 * SHA-256. A frame at another position or of another file, or a truncated file, cannot be decrypted. The same file encrypted again gives the same
 * bytes, so that an interrupted upload may continue, and no key ever encrypts two contents. One thread.
 */
public final class FileEncryption {
    static final int FRAME = 64 << 10;
    private static final int TAG = 16;
    private static final int NONCE = 12;

    private final String name;
    private final SecretKeySpec key;
    private final Cipher cipher;

    FileEncryption(BackupKey from, String cluster, Manifest.Entry file) {
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

    /** Bytes of an encrypted file of this size, or of its first whole frames. */
    public static long encryptedSize(long size) {
        return size + (size + FRAME - 1) / FRAME * TAG;
    }

    /**
     * Encrypts a file's bytes from an offset.
     *
     * @param plain whole frames, except for the file's last; read to its limit
     * @param at their offset in the file: the beginning of a frame
     */
    ByteBuffer encrypt(ByteBuffer plain, long at) {
        return frames(Cipher.ENCRYPT_MODE, plain, at / FRAME, FRAME, (int) encryptedSize(plain.remaining()));
    }

    /**
     * Decrypts bytes.
     *
     * @param encrypted whole frames, except for the file's last; read to its limit
     * @param at their offset in the file: the beginning of a frame
     * @throws TributaryException BACKUP_CORRUPT if these are not the bytes that were encrypted for this offset
     */
    ByteBuffer decrypt(ByteBuffer encrypted, long at) {
        return frames(Cipher.DECRYPT_MODE, encrypted, at / FRAME, FRAME + TAG, encrypted.remaining());
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
                    name + ": expected the bytes encrypted for offset " + frame * FRAME + ", found other bytes",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a frame that AES-GCM does not accept", e);
        }
        return to.flip();
    }
}
